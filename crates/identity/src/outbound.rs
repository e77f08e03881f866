//! Asking providers, with limits: one that misbehaves costs little.

use std::time::Duration;

use reqwest::{Client, Response, redirect, retry};

use crate::issuer::Address;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How many bytes it may have.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// A client for one provider, which is led elsewhere only as far as it is said.
pub(crate) fn client(
    provider: &Address,
    redirects: redirect::Policy,
) -> Result<Client, reqwest::Error> {
    let mut client = Client::builder().no_proxy().redirect(redirects);
    if !provider.is_encrypted() {
        // Without TLS, it must not matter whether this machine has certificates.
        client = client.tls_certs_only([]);
    }
    client.retry(retry::never()).timeout(TIMEOUT).build()
}

/// The body of an answer; none where it does not end within the limit.
pub(crate) async fn body(response: &mut Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > MOST_BYTES {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}
