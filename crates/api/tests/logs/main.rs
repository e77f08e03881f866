//! What is secret is in no log, however much is logged. A process of its own, since a log is the
//! process's.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;
use weir_domain::member::Role;
use weir_testkit::app::{Actor, PUBLIC_URL, Store, TestApp};

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Signs in, goes on, misuses tokens and signs out, and returns all that was secret.
async fn use_everything(app: &TestApp) -> Vec<String> {
    let acme = app.reseller("Acme").await;
    app.member(&acme, "ada@example.org", Role::Admin).await;
    let asked =
        app.stranger().post("/auth/magic-link", json!({ "email": "ada@example.org" })).await;
    let cookie = asked.header("set-cookie").split(';').next().unwrap().to_owned();
    let link = app.letters.next().await.link().to_owned();
    let path = link.strip_prefix(PUBLIC_URL).unwrap();
    let mut secrets = vec![
        acme.api_key().to_owned(),
        cookie.split_once('=').unwrap().1.to_owned(),
        link.split_once("token=").unwrap().1.to_owned(),
    ];
    app.stranger().get(path).await.refused(401, "INVALID_TOKEN");
    let browser = app.stranger().with_header("cookie", cookie);
    let first = browser.get(path).await.ok();
    browser.get(path).await.refused(401, "INVALID_TOKEN");
    let refresh = async |actor: &Actor, tokens: &Value| {
        let body = json!({ "refresh_token": tokens["refresh_token"] });
        actor.post("/auth/refresh", body).await
    };
    let second = refresh(&browser, &first).await.ok();
    let third = refresh(&browser, &second).await.ok();
    refresh(&browser, &first).await.refused(401, "INVALID_TOKEN");
    let body = json!({ "refresh_token": third["refresh_token"] });
    browser.post("/auth/sign-out", body).await.ok();
    for tokens in [first, second, third] {
        for name in ["access_token", "refresh_token"] {
            let token = tokens[name].as_str().unwrap();
            // A session's id is no secret; what follows it is. Nor are a header and claims alone.
            secrets.push(token.rsplit('.').next().unwrap().to_owned());
        }
        let bearer = format!("Bearer {}", tokens["access_token"].as_str().unwrap());
        let answer = app.stranger().with_header("authorization", bearer);
        assert!(answer.get("/api/v1/devices").await.status.is_client_error());
    }
    secrets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_secret_is_logged() {
    let log = Log::default();
    tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(log.clone())
        .init();
    for store in [Store::Sqlite, Store::Postgres] {
        let app = TestApp::start(store).await;
        let secrets = use_everything(&app).await;
        let logged = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
        assert!(logged.contains("/auth/magic-link/follow"), "the log is on");
        assert!(logged.contains("answered"), "down to its finest level");
        for secret in &secrets {
            assert!(secret.len() > 40, "{secret}");
            assert!(!logged.contains(secret), "{secret} is in the log");
        }
    }
}
