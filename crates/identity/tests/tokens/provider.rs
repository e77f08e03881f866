//! A provider on this machine, over real HTTP, that does what a test says and counts what it is asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the provider answers.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A document.
    Text(String),
    /// Nothing but a status.
    Status(u16),
    /// Look there.
    Redirect(String),
}

impl From<&Value> for Answer {
    fn from(document: &Value) -> Self {
        Self::Text(document.to_string())
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        match self {
            Self::Text(text) => text.into_response(),
            Self::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
            Self::Redirect(to) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        }
    }
}

/// A provider; it is gone when it is dropped.
pub struct Provider {
    url: String,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    metadata: Mutex<Answer>,
    /// One after the other; the last one stays.
    keys: Mutex<VecDeque<Answer>>,
    /// How often it was asked for its keys.
    asked: watch::Sender<usize>,
    /// Whether it answers.
    open: watch::Sender<bool>,
}

impl Provider {
    /// A provider that publishes these keys.
    pub async fn start(jwks: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let metadata = json!({ "issuer": url, "jwks_uri": format!("{url}/keys") });
        let shared = Arc::new(Shared {
            metadata: Mutex::new(Answer::from(&metadata)),
            keys: Mutex::new([jwks.into()].into()),
            asked: watch::Sender::new(0),
            open: watch::Sender::new(true),
        });
        let keys = Answer::from(jwks);
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata_of))
            .route("/keys", get(keys_of))
            .route("/moved", get(move || async { keys }))
            .with_state(shared.clone());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, shared, task }
    }

    /// What it calls itself.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Answers that from now on when it is asked for its keys.
    pub fn publish(&self, answer: impl Into<Answer>) {
        *self.shared.keys.lock().unwrap() = [answer.into()].into();
    }

    /// Answers that once it has answered what it was told before.
    pub fn publish_next(&self, answer: impl Into<Answer>) {
        self.shared.keys.lock().unwrap().push_back(answer.into());
    }

    /// Tells that about itself from now on.
    pub fn tell(&self, answer: impl Into<Answer>) {
        *self.shared.metadata.lock().unwrap() = answer.into();
    }

    /// Lets askers wait, or no longer.
    pub fn hold(&self, is_held: bool) {
        self.shared.open.send_replace(!is_held);
    }

    /// How often it was asked for its keys.
    pub fn asked(&self) -> usize {
        *self.shared.asked.borrow()
    }

    /// Waits until it was asked so often.
    pub async fn until_asked(&self, times: usize) {
        let mut asked = self.shared.asked.subscribe();
        let in_time = timeout(PATIENCE, asked.wait_for(|asked| *asked >= times)).await;
        in_time.expect("the provider is asked").unwrap();
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn metadata_of(State(shared): State<Arc<Shared>>) -> Answer {
    shared.metadata.lock().unwrap().clone()
}

async fn keys_of(State(shared): State<Arc<Shared>>) -> Answer {
    shared.asked.send_modify(|asked| *asked += 1);
    shared.open.subscribe().wait_for(|is_open| *is_open).await.unwrap();
    let mut keys = shared.keys.lock().unwrap();
    let next = keys.front().unwrap().clone();
    if keys.len() > 1 {
        keys.pop_front();
    }
    next
}
