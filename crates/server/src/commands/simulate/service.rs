//! The service under load, as its API shows it.

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};
use reqwest::{Client, Response, redirect, retry};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};

use crate::failure::Failure;

/// Where uplinks are posted.
pub const INGEST: &str = "/api/v1/ingest/water-consumption";

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How long a read is asked again while the service is too busy for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A pause between two such attempts.
const PAUSE: Duration = Duration::from_millis(250);

/// A name that nobody has, since names hold no control characters.
const NOBODY: &str = "nobody\u{1}";

/// A service somewhere, and the key to it.
#[derive(Debug)]
pub struct Service {
    client: Client,
    base: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    body: Bytes,
}

/// What an answer says went wrong.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Complaint {
    /// The code.
    pub error_code: String,
    /// The sentence.
    pub message: String,
    /// More about it.
    pub details: Map<String, Value>,
}

impl Service {
    /// The service at an address, over so many connections.
    pub fn at(url: &str, api_key: &str, connections: usize) -> Result<Self, Failure> {
        let base = url.trim_end_matches('/').to_owned();
        let is_plain = base.starts_with("http://");
        if !is_plain && !base.starts_with("https://") {
            return Err(Failure::Said(format!("{url} is no http:// or https:// address.")));
        }
        let mut key = HeaderValue::from_str(api_key)
            .map_err(|_| Failure::Said("The API key holds characters that no key has.".into()))?;
        key.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert("x-api-key", key);
        headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Nothing that is measured may happen in between or behind our back.
        let mut client = Client::builder()
            .default_headers(headers)
            .http1_only()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .timeout(TIMEOUT)
            .pool_max_idle_per_host(connections);
        if is_plain {
            // Without TLS, it must not matter whether this machine has certificates.
            client = client.tls_certs_only([]);
        }
        let client = client.build().map_err(|error| Failure::Said(reason(&error)))?;
        Ok(Self { client, base })
    }

    /// Posts a body; an error means that nobody knows what became of it.
    pub async fn post(&self, path: &str, body: String) -> Result<Answer, reqwest::Error> {
        let request = self.client.post(format!("{}{path}", self.base)).body(body);
        Answer::read(request.send().await?).await
    }

    /// The result of a read. A service that is too busy for it is asked again, for a while.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let begun = Instant::now();
        loop {
            let request = self.client.get(format!("{}{path}", self.base));
            let answer = async { Answer::read(request.send().await?).await };
            let answer = answer.await.map_err(|error| self.unreachable(&error))?;
            match answer.status {
                200 => return answer.data(),
                503 if begun.elapsed() < PATIENCE => sleep(PAUSE).await,
                _ => return Err(answer.refusal(path)),
            }
        }
    }

    /// A name that the caller's uplinks may go by. It is told to whoever goes by a wrong one.
    pub async fn tenant(&self) -> Result<String, Failure> {
        let probe = json!({ "deviceInfo": { "tenantName": NOBODY }, "object": {} });
        let answer = self.post(INGEST, probe.to_string()).await;
        let answer = answer.map_err(|error| self.unreachable(&error))?;
        let complaint = answer.complaint();
        if complaint.error_code != "TENANT_MISMATCH" {
            return Err(answer.refusal(INGEST));
        }
        let names = complaint.details.get("tenant_names").and_then(Value::as_array);
        let name = names.and_then(|names| names.first()).and_then(Value::as_str);
        name.map(str::to_owned).ok_or_else(|| {
            Failure::Said("The service does not tell the key's tenant names: use --tenant.".into())
        })
    }

    /// Why there is no answer.
    pub fn unreachable(&self, error: &reqwest::Error) -> Failure {
        Failure::Said(format!("{} did not answer: {}", self.base, reason(error)))
    }
}

impl Answer {
    async fn read(response: Response) -> Result<Self, reqwest::Error> {
        Ok(Self { status: response.status().as_u16(), body: response.bytes().await? })
    }

    /// The result in an answer 200.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        #[derive(Deserialize)]
        struct Success<T> {
            data: T,
        }
        let success: Result<Success<T>, _> = serde_json::from_slice(&self.body);
        let success = success.map_err(|error| {
            Failure::Said(format!("The service answered something unexpected: {error}"))
        })?;
        Ok(success.data)
    }

    /// What is wrong; empty where the answer does not have the service's form.
    pub fn complaint(&self) -> Complaint {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Why the command cannot go on with it.
    pub fn refusal(&self, path: &str) -> Failure {
        let Complaint { error_code, message, .. } = self.complaint();
        let said =
            format!("The service answered {} to {path}: {error_code} {message}", self.status);
        Failure::Said(said.trim_end_matches([':', ' ']).to_owned())
    }
}

/// An error with what is behind it: on its own it only says that a request failed.
pub fn reason(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
