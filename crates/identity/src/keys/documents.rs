//! Reading documents of providers over HTTP.

use std::error::Error as _;

use reqwest::{Client, Response, redirect};
use serde::de::DeserializeOwned;
use url::Url;

use crate::issuer::Address;
use crate::outbound::{self, MOST_BYTES};

/// How many redirects are followed.
const MOST_REDIRECTS: usize = 3;

/// Reads the documents of one provider.
#[derive(Debug, Clone)]
pub struct Documents {
    client: Client,
}

/// Why there is no document, in a sentence for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDocument {
    /// It did not arrive.
    #[error("{url} did not answer: {reason}")]
    Unreachable {
        /// The document.
        url: Url,
        /// Why not.
        reason: String,
    },
    /// There was another answer.
    #[error("{url} answered {status}")]
    Refused {
        /// The document.
        url: Url,
        /// The status of the answer.
        status: u16,
    },
    /// It does not end.
    #[error("{0} has more than {MOST_BYTES} bytes")]
    TooLarge(Url),
    /// It is something else.
    #[error("{url} is not what it should be: {reason}")]
    Malformed {
        /// The document.
        url: Url,
        /// Why not.
        reason: String,
    },
}

impl Documents {
    /// Reads documents of the provider at an address. It fails where TLS cannot be had on this machine.
    pub fn of(provider: &Address) -> Result<Self, String> {
        let client = outbound::client(provider, redirects()).map_err(|error| reason(&error))?;
        Ok(Self { client })
    }

    /// A document as it is.
    pub async fn bytes(&self, url: &Url) -> Result<Vec<u8>, NoDocument> {
        let unreachable =
            |error| NoDocument::Unreachable { url: url.clone(), reason: reason(&error) };
        let mut response = self.client.get(url.clone()).send().await.map_err(unreachable)?;
        if !response.status().is_success() {
            return Err(refused(url, &response));
        }
        let body = outbound::body(&mut response).await.map_err(unreachable)?;
        body.ok_or_else(|| NoDocument::TooLarge(url.clone()))
    }

    /// What a JSON document says.
    pub async fn json<T: DeserializeOwned>(&self, url: &Url) -> Result<T, NoDocument> {
        let bytes = self.bytes(url).await?;
        serde_json::from_slice(&bytes)
            .map_err(|error| NoDocument::Malformed { url: url.clone(), reason: error.to_string() })
    }
}

fn refused(url: &Url, response: &Response) -> NoDocument {
    NoDocument::Refused { url: url.clone(), status: response.status().as_u16() }
}

/// Nothing leads from TLS to less, and without TLS nothing leads elsewhere.
fn redirects() -> redirect::Policy {
    redirect::Policy::custom(|attempt| {
        let Some(first) = attempt.previous().first() else { return attempt.stop() };
        let is_same_scheme = first.scheme() == attempt.url().scheme();
        let stays = first.scheme() == "https" || first.origin() == attempt.url().origin();
        let is_short = attempt.previous().len() <= MOST_REDIRECTS;
        if is_same_scheme && stays && is_short { attempt.follow() } else { attempt.stop() }
    })
}

/// An error with what is behind it: on its own it only says that a request failed.
fn reason(error: &reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.last().map_or_else(|| error.to_string(), ToString::to_string)
}
