//! Keys and addresses that a provider tells about itself (OpenID Connect Discovery).

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use url::Url;

use super::{Documents, KeySet, KeySource, KeyUrl, NoDocument, NoKeys};
use crate::issuer::Address;

/// A provider that tells where everything is.
#[derive(Debug, Clone)]
pub struct Discovery {
    issuer: Address,
    documents: Documents,
}

/// What a provider tells about itself, as far as anybody here needs it.
#[derive(Debug, Clone, Deserialize)]
pub struct Metadata {
    /// Who it says it is.
    pub issuer: String,
    /// Where its keys are.
    pub jwks_uri: String,
    /// Where people sign in.
    pub authorization_endpoint: Option<String>,
    /// Where codes are exchanged for tokens.
    pub token_endpoint: Option<String>,
    /// How clients may prove there who they are; by HTTP Basic where it is not said.
    pub token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Discovery {
    /// The provider at an address.
    pub fn new(issuer: Address, documents: Documents) -> Self {
        Self { issuer, documents }
    }

    /// What the provider tells about itself. It must call itself what we call it, to the letter.
    pub async fn metadata(&self) -> Result<Metadata, NoDocument> {
        let url = self.issuer.beneath("/.well-known/openid-configuration");
        let metadata: Metadata = self.documents.json(&url).await?;
        if metadata.issuer != self.issuer.as_str() {
            let reason = format!("it is about the issuer {:?}", metadata.issuer);
            return Err(NoDocument::Malformed { url, reason });
        }
        Ok(metadata)
    }

    /// An address that the provider tells; it must be as safe as the issuer's own.
    pub fn address(&self, text: &str) -> Result<Url, NoDocument> {
        self.issuer.sibling(text).map_err(|error| NoDocument::Malformed {
            url: self.issuer.beneath("/.well-known/openid-configuration"),
            reason: format!("the address {text:?} in it {error}"),
        })
    }
}

impl KeySource for Discovery {
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>> {
        async {
            let metadata = self.metadata().await.map_err(|error| NoKeys::because(&error))?;
            let url = self.address(&metadata.jwks_uri).map_err(|error| NoKeys::because(&error))?;
            KeyUrl::new(self.documents.clone(), url).fetch().await
        }
        .boxed()
    }
}
