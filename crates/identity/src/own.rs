//! This service as one of the issuers that it trusts.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::issuer::{Address, Issuer, NotAnIssuer};
use crate::keys::{KeySet, KeySource, NoKeys};
use crate::provider::Provider;

/// New keys are published ten minutes before they are used, so that no token has to wait for its key.
const MAX_AGE: Duration = Duration::from_secs(60);

struct OwnKeys(Arc<Provider>);

/// The built-in provider as an issuer.
pub(crate) fn issuer(provider: Arc<Provider>) -> Result<Issuer, NotAnIssuer> {
    let address = Address::parse(provider.url().as_str(), true).map_err(|reason| {
        NotAnIssuer::Address { name: "weir".to_owned(), field: "public_url", reason }
    })?;
    Ok(Issuer::own(address, Arc::new(OwnKeys(provider))))
}

impl KeySource for OwnKeys {
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>> {
        async {
            let published = self.0.jwks().await.map_err(|error| NoKeys::because(&error))?;
            let published =
                serde_json::to_vec(&published).map_err(|error| NoKeys::because(&error))?;
            KeySet::parse(&published).map_err(|error| NoKeys::because(&error))
        }
        .boxed()
    }

    fn max_age(&self) -> Duration {
        MAX_AGE
    }
}
