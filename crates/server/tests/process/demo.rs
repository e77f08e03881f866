//! The demonstration, as somebody who tries the program sees it.

use rustix::process::Signal;

use crate::home::{Home, Store};
use crate::patience::until;
use crate::server::Server;

/// The lines that are printed, once all of them are.
async fn invitation(server: &Server) -> Vec<String> {
    let (said, _) = until(async || server.said(), |said| said.matches("curl").count() == 3).await;
    said.lines().map(str::to_owned).collect()
}

/// The key and the address in a printed command.
fn read_command(line: &str) -> (String, String) {
    let mut quoted = line.split('"').skip(1).step_by(2);
    let key = quoted.next().unwrap().strip_prefix("X-API-Key: ").unwrap().to_owned();
    (key, quoted.next().unwrap().to_owned())
}

/// The link that is printed signs a browser in, once.
async fn look_at_it(lines: &[String]) {
    let link = lines.iter().find(|line| line.contains("/auth/")).expect("a link").trim();
    let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let browser = browser.build().unwrap();
    let open = async |url: &str, cookie: &str| {
        let asked = browser.get(url).header("accept", "text/html").header("cookie", cookie);
        asked.send().await.unwrap()
    };
    let followed = open(link, "").await;
    assert_eq!(
        (followed.status().as_u16(), &followed.headers()["location"]),
        (303, &"/".parse().unwrap())
    );
    let cookie = followed.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap();
    let first = link.split("/auth/").next().unwrap();
    let page = open(&format!("{first}/"), cookie).await;
    assert_eq!(page.status(), 200);
    let page = page.text().await.unwrap();
    for shown in ["Demo Water", "demo@demo-water.example", "data-chart", "Silent since"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(page.len() < 150_000);
    assert_eq!(open(link, "").await.status(), 401, "it works once");
}

async fn demonstrate(store: Store) {
    let home = Home::on(store);
    let server = home.start(&["serve", "--demo"]).await;
    let lines = invitation(&server).await;
    assert!(lines[0].contains(&format!("http://{}", server.address)), "{lines:?}");
    let commands: Vec<_> = lines.iter().filter(|line| line.contains("curl")).collect();
    let key = read_command(commands[0]).0;
    assert!(lines[1].contains(&key), "{lines:?}");
    look_at_it(&lines).await;
    let mut client = server.client(&key);
    for command in commands {
        let (_, url) = read_command(command);
        let path = url.strip_prefix(&format!("http://{}", server.address)).unwrap();
        let answer = client.get(path).await;
        assert_eq!(answer.status, 200, "{command}");
    }

    let customers = client.get("/api/v1/customers").await.body;
    assert_eq!(customers["data"].as_array().unwrap().len(), 3);
    let devices = client.get("/api/v1/devices?limit=1000").await.body["data"].clone();
    let devices = devices.as_array().unwrap();
    let count = |field: &str, value: &str| devices.iter().filter(|it| it[field] == value).count();
    assert_eq!((devices.len(), count("status", "offline")), (27, 1), "one is silent");
    let principal = devices.iter().filter(|device| device["is_principal"] == true).count();
    assert_eq!(principal, 5);
    let two_years = 2 * 365 * 24;
    let heard = devices.iter().filter(|device| device["message_count"] == two_years).count();
    assert_eq!(heard, 26);

    // A replaced meter, and one that leaks.
    let year = |eui: &str| format!("/api/v1/devices/{eui}/consumption-per-day?days=365");
    let days = client.get(&year("70b3d57ed0de0303")).await.body["data"]["days"].clone();
    assert_eq!(days.as_array().unwrap().iter().filter(|day| day["is_reset"] == true).count(), 1);
    let leaking = client.get(&year("70b3d57ed0de0202")).await.body["data"]["days"].clone();
    let litres = |day: usize| leaking[day]["consumption_m3"].as_f64().unwrap() * 1000.0;
    let fortnight = |from: usize| (from..from + 14).map(litres).sum::<f64>();
    assert!(fortnight(350) > fortnight(310) + 14.0 * 200.0, "it loses hundreds of litres a day");

    // Somebody moved out.
    let history = "/api/v1/devices/70b3d57ed0de0103/ownership-history?include_details=true";
    let history = client.get(history).await.body["data"].clone();
    assert_eq!(history[0]["previous_end_user"]["name"], "Hugo Faria");
    assert_eq!(history[0]["report_generated"], true);
    assert_eq!(history.as_array().unwrap().len(), 2);
    server.stop(Signal::TERM).await;

    let again = home.start(&["serve", "--demo"]).await;
    let lines = invitation(&again).await;
    assert!(lines[1].contains(&key), "the same reseller: {lines:?}");
    let mut client = again.client(&key);
    assert_eq!(
        client.get("/api/v1/devices?limit=1000").await.body["data"].as_array(),
        Some(devices)
    );
    let link = lines.iter().find(|line| line.contains("/auth/")).expect("a link").trim();
    again.stop(Signal::TERM).await;

    // A link that nobody used is worth nothing to a service that is no demonstration.
    let plain = home.serve().await;
    let path = &link[link.find("/auth/").unwrap()..];
    assert_eq!(plain.anybody().get(path).await.status, 401);
    plain.stop(Signal::TERM).await;
    let resellers = home.run(&["reseller", "list", "--json"]).await.json();
    assert_eq!(resellers.as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_made_once_on_sqlite() {
    demonstrate(Store::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_is_made_once_on_postgres() {
    demonstrate(Store::Postgres).await;
}
