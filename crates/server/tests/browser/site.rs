//! A service with a mail server.

use std::time::Duration;

use serde_json::{Value, json};
use weir_app::{Clock, SystemClock};
use weir_testkit::mailbox::{Letter, Mailbox, PASSWORD, Security, USER};

use crate::browser::Browser;
use crate::client::{Answer, Client, INGEST, REGISTER};
use crate::home::Home;
use crate::server::Server;

/// The administrator of a site's reseller.
pub const ADA: &str = "ada@example.org";
/// Who may look at it.
pub const VERA: &str = "vera@example.org";

/// What ChirpStack posts for an uplink.
const UPLINK: &str = include_str!("uplink.json");

/// A service that sends its mail to a server of the test.
pub struct Site {
    pub home: Home,
    pub server: Server,
    mailbox: Mailbox,
}

impl Site {
    /// Starts both.
    pub async fn open() -> Self {
        Self::open_with(&["serve"]).await
    }

    /// The same, with the demonstration in it.
    pub async fn demonstration() -> Self {
        Self::open_with(&["serve", "--demo"]).await
    }

    /// The same with a reseller, Acme, an administrator and a viewer of it, and whoever asks the interface
    /// in its name.
    pub async fn of_acme() -> (Self, Client) {
        let site = Self::open().await;
        let key = site.home.reseller("Acme", &[]).await;
        site.member("Acme", ADA, "admin").await;
        site.member("Acme", VERA, "viewer").await;
        let client = site.server.client(&key);
        (site, client)
    }

    async fn open_with(command: &[&str]) -> Self {
        let mailbox = Mailbox::start(Security::StartTls).await;
        let home = Home::new()
            .with("WEIR_SIGN_UP", "true")
            .with("WEIR_SMTP_HOST", "localhost")
            .with("WEIR_SMTP_PORT", mailbox.port().to_string())
            .with("WEIR_SMTP_USERNAME", USER)
            .with("WEIR_SMTP_PASSWORD", PASSWORD)
            .with("WEIR_SMTP_FROM", "Weir <weir@example.org>")
            .with("WEIR_SMTP_CA_FILE", mailbox.authority_file().to_str().unwrap());
        let server = home.start(command).await;
        Self { home, server, mailbox }
    }

    /// An address in it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// Makes someone a member of a reseller.
    pub async fn member(&self, reseller: &str, email: &str, role: &str) {
        let words = ["member", "add", "--reseller", reseller, "--email", email, "--role", role];
        self.home.run(&words).await.said();
    }

    /// The next letter that arrives.
    pub async fn letter(&mut self) -> Letter {
        self.mailbox.next().await
    }

    /// Signs in as somebody who has a mailbox does.
    pub async fn sign_in(&mut self, browser: &Browser, email: &str) {
        browser.go(&self.url("/sign-in")).await;
        browser.fill("E-mail address", email).await;
        browser.press("Send me a link").await;
        let link = link_in(&self.letter().await);
        browser.go(&link).await;
        browser.sees("Sign out").await;
    }
}

/// The link in a letter.
pub fn link_in(letter: &Letter) -> String {
    let mut words = letter.plain.split_whitespace();
    words.find(|word| word.starts_with("http")).expect("a letter with a link").to_owned()
}

impl Client {
    /// Puts, to a service that is there.
    pub async fn put(&mut self, path: &str, body: &Value) -> Answer {
        self.ask(&format!("PUT {path}"), &body.to_string()).await.unwrap()
    }

    /// Deletes, from a service that is there.
    pub async fn delete(&mut self, path: &str) -> Answer {
        self.ask(&format!("DELETE {path}"), "").await.unwrap()
    }
}

/// Registers a meter under a name, and returns its id.
pub async fn register(client: &mut Client, eui: &str, name: &str) -> String {
    let meter = json!({ "dev_eui": eui, "name": name, "device_type": "water_meter" });
    client.post(REGISTER, &meter).await.data()["id"].as_str().unwrap().to_owned()
}

/// What Acme's network server posts for a reading of so many days ago.
pub fn uplink(eui: &str, days_ago: u64, cubic_metres: f64) -> Value {
    let time = SystemClock.now().minus(Duration::from_secs(days_ago * 24 * 60 * 60));
    let mut uplink: Value = serde_json::from_str(UPLINK).unwrap();
    uplink["time"] = json!(time);
    uplink["deviceInfo"]["devEui"] = json!(eui);
    uplink["object"]["cumulativeFlowM3"] = json!(cubic_metres);
    uplink
}

/// Posts readings of a meter, each so many days old.
pub async fn ingest(client: &mut Client, eui: &str, readings: &[(u64, f64)]) {
    for &(days_ago, cubic_metres) in readings {
        client.post(INGEST, &uplink(eui, days_ago, cubic_metres)).await.data();
    }
}
