//! Asking a provider for tokens.

use oauth2::{HttpRequest, HttpResponse};
use reqwest::{Client, Request, redirect};

use crate::issuer::Address;
use crate::outbound::{self, MOST_BYTES};

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
    outbound::client(issuer, redirect::Policy::none())
}

/// Sends a request and reads the answer to its end.
pub(super) async fn send(client: Client, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
    let mut response = client.execute(Request::try_from(request)?).await?;
    let body = outbound::body(&mut response).await?.ok_or(NoAnswer::TooLarge)?;
    let mut answer = HttpResponse::new(body);
    *answer.status_mut() = response.status();
    *answer.headers_mut() = std::mem::take(response.headers_mut());
    Ok(answer)
}
