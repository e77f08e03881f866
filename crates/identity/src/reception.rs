//! Everything about people, put together.

use std::sync::Arc;

use weir_app::Env;
use weir_app::credentials::Secret;
use weir_store::Db;

use crate::issuer::{Issuer, NotAnIssuer};
use crate::mail::Postman;
use crate::own;
use crate::people::People;
use crate::provider::{Provider, PublicUrl};
use crate::social::Social;
use crate::token::Verifier;

/// Where people come in.
#[derive(Clone)]
pub struct Reception {
    /// Who is who, by their tokens.
    pub people: Arc<People>,
    /// Signing in by what is built in.
    pub provider: Arc<Provider>,
    /// Signing in at someone else's.
    pub social: Arc<Social>,
}

impl Reception {
    /// Opens at that address, for people whom these issuers vouch for or whom the postman reaches.
    pub fn open(
        db: &Db,
        env: &Env,
        secret: &Secret,
        url: &PublicUrl,
        postman: Arc<dyn Postman>,
        issuers: &[Issuer],
    ) -> Result<Self, NotAnIssuer> {
        let provider =
            Provider::start(db.clone(), env.clone(), secret.clone(), url.clone(), postman);
        let own = own::issuer(provider.clone())?;
        let trusted = issuers.iter().cloned().chain([own]);
        let verifier = Arc::new(Verifier::new(trusted, env.clock.clone())?);
        let social = Social::new(issuers, url, verifier.clone(), secret.clone(), env.clone())?;
        let people = People::new(db.clone(), env.clone(), verifier, provider.clone());
        Ok(Self { people, provider, social: Arc::new(social) })
    }
}
