//! Somebody who asks.

use std::net::{Ipv4Addr, SocketAddr};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{Method, Request};
use serde_json::Value;
use tower::ServiceExt;
use url::form_urlencoded;
use weir_domain::Reseller;

use super::{Answer, document};

/// Somebody who asks the service, with or without credentials.
#[derive(Clone)]
pub struct Actor {
    router: Router,
    headers: Vec<(&'static str, String)>,
    reseller: Option<Reseller>,
    /// What forms carry that it sends.
    token: String,
}

impl Actor {
    pub(super) fn new(router: Router, key: Option<String>, reseller: Reseller) -> Self {
        let headers = key.into_iter().map(|key| ("x-api-key", key)).collect();
        Self { router, headers, reseller: Some(reseller), token: String::new() }
    }

    pub(super) fn nobody(router: Router) -> Self {
        Self { router, headers: Vec::new(), reseller: None, token: String::new() }
    }

    pub(super) fn at(&self, router: Router) -> Self {
        Self { router, ..self.clone() }
    }

    /// The reseller that it speaks for.
    pub fn reseller(&self) -> &Reseller {
        self.reseller.as_ref().expect("an actor with a reseller")
    }

    /// The API key that it speaks with.
    pub fn api_key(&self) -> &str {
        let key = self.headers.iter().find(|(name, _)| *name == "x-api-key");
        key.map(|(_, key)| key.as_str()).expect("an actor with a key")
    }

    /// The same actor with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same actor, who sends forms with that token.
    #[must_use]
    pub fn with_token(self, token: String) -> Self {
        Self { token, ..self }
    }

    /// The same actor, speaking for a reseller.
    #[must_use]
    pub(super) fn of(self, reseller: Reseller) -> Self {
        Self { reseller: Some(reseller), ..self }
    }

    /// Opens a page; anything but a page fails the test.
    #[track_caller]
    pub fn page(&self, path: &str) -> impl Future<Output = String> {
        let caller = std::panic::Location::caller();
        async move {
            let answer = self.get(path).await;
            let text = String::from_utf8(answer.body).expect("a text");
            assert_eq!(answer.status, 200, "{caller}: {path}: {text}");
            let kind = &answer.headers[CONTENT_TYPE];
            assert_eq!(kind, "text/html; charset=utf-8", "{caller}: {path}");
            text
        }
    }

    /// Sends a form, with its token where the actor is signed in.
    pub async fn submit(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields.iter().copied()).append_pair("token", &self.token);
        let kind = "application/x-www-form-urlencoded";
        self.send(Method::POST, path, Some(kind), Body::from(body.finish())).await
    }

    /// Asks without a body.
    pub async fn ask(&self, method: Method, path: &str) -> Answer {
        self.send(method, path, None, Body::empty()).await
    }

    /// Gets.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask(Method::GET, path).await
    }

    /// Posts JSON.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some("application/json"), Body::from(body.to_string())).await
    }

    /// Puts JSON.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PUT, path, Some("application/json"), Body::from(body.to_string())).await
    }

    /// Patches with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.send(Method::PATCH, path, Some("application/json"), Body::from(body.to_string())).await
    }

    /// Deletes.
    pub async fn delete(&self, path: &str) -> Answer {
        self.ask(Method::DELETE, path).await
    }

    /// Posts any bytes as JSON.
    pub async fn post_raw(&self, path: &str, body: impl Into<Body>) -> Answer {
        self.send(Method::POST, path, Some("application/json"), body.into()).await
    }

    /// Posts an uplink.
    pub async fn ingest(&self, uplink: Value) -> Answer {
        self.post("/api/v1/ingest/water-consumption", uplink).await
    }

    /// Registers a device and returns its id.
    pub async fn register(&self, dev_eui: &str) -> String {
        let meter = serde_json::json!({ "dev_eui": dev_eui, "name": dev_eui, "device_type": "water_meter" });
        let data = self.post("/api/v1/devices/register", meter).await.ok();
        data["id"].as_str().expect("an id").to_owned()
    }

    /// Sends any request. The answer is held against the OpenAPI document.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: Body,
    ) -> Answer {
        let response = self.begin(method.clone(), path, content_type, body).await;
        let answer = Answer::of(response).await;
        document::check(&method, path, &answer);
        answer
    }

    /// Gets, and leaves it to the test to read the body.
    pub async fn open(&self, path: &str) -> Response {
        self.begin(Method::GET, path, None, Body::empty()).await
    }

    async fn begin(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: Body,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some(content_type) = content_type {
            request = request.header(CONTENT_TYPE, content_type);
        }
        // As the transport tells it.
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 49_152));
        let request = request.extension(ConnectInfo(peer)).body(body).expect("a request");
        self.router.clone().oneshot(request).await.expect("an answer")
    }
}
