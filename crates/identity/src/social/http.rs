//! Asking a provider for tokens, with limits: one that misbehaves costs little.

use std::time::Duration;

use oauth2::{HttpRequest, HttpResponse};
use reqwest::{Client, Request, redirect, retry};

use crate::issuer::Address;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many bytes it may have.
const MOST_BYTES: usize = 1 << 20;

/// There was no answer, or no end of it.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoAnswer {
    /// The request went wrong.
    #[error("it does not answer")]
    Failed(#[from] reqwest::Error),
    /// The answer does not end.
    #[error("its answer has more than {MOST_BYTES} bytes")]
    TooLarge,
}

/// A client that follows no redirects: a code and a secret are for whom they were sent to.
pub(super) fn client(issuer: &Address) -> Result<Client, reqwest::Error> {
    let mut client = Client::builder().no_proxy().redirect(redirect::Policy::none());
    if !issuer.is_encrypted() {
        // Without TLS, it must not matter whether this machine has certificates.
        client = client.tls_certs_only([]);
    }
    client.retry(retry::never()).timeout(TIMEOUT).build()
}

/// Sends a request and reads the answer to its end.
pub(super) async fn send(client: Client, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
    let mut response = client.execute(Request::try_from(request)?).await?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Err(NoAnswer::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    let mut answer = HttpResponse::new(body);
    *answer.status_mut() = response.status();
    *answer.headers_mut() = std::mem::take(response.headers_mut());
    Ok(answer)
}
