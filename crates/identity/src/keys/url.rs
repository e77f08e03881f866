//! Keys at a URL.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use url::Url;

use super::{Documents, KeySet, KeySource, NoKeys};

/// A JSON Web Key Set at a URL.
#[derive(Debug)]
pub struct KeyUrl {
    documents: Documents,
    url: Url,
}

impl KeyUrl {
    /// The keys at that URL.
    pub fn new(documents: Documents, url: Url) -> Self {
        Self { documents, url }
    }
}

impl KeySource for KeyUrl {
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>> {
        async {
            let document = self.documents.bytes(&self.url).await;
            let document = document.map_err(|error| NoKeys::because(&error))?;
            KeySet::parse(&document).map_err(|error| NoKeys(format!("{}: {error}", self.url)))
        }
        .boxed()
    }
}
