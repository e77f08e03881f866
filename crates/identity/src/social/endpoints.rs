//! Where a provider wants people and codes to go.

use oauth2::{AuthType, AuthUrl, TokenUrl};

use crate::issuer::SignIn;
use crate::keys::Metadata;

/// Where a provider wants people and codes to go, by its own word.
#[derive(Debug, Clone)]
pub(super) struct Endpoints {
    /// Where people sign in.
    pub authorization: AuthUrl,
    /// Where codes are exchanged.
    pub token: TokenUrl,
    /// How we prove there who we are.
    pub auth: AuthType,
}

impl Endpoints {
    /// Asks the provider. The error is for the log.
    pub async fn ask(sign_in: &SignIn) -> Result<Self, String> {
        let discovery = &sign_in.discovery;
        let metadata = discovery.metadata().await.map_err(|error| error.to_string())?;
        let address = |name: &str, address: &Option<String>| {
            let address = address.as_ref().ok_or_else(|| format!("it tells no {name}"))?;
            discovery.address(address).map_err(|error| error.to_string())
        };
        let authorization = address("authorization_endpoint", &metadata.authorization_endpoint)?;
        let token = address("token_endpoint", &metadata.token_endpoint)?;
        Ok(Self {
            authorization: AuthUrl::from_url(authorization),
            token: TokenUrl::from_url(token),
            auth: auth(&metadata, sign_in.client_secret.is_some())?,
        })
    }
}

/// In a header where that is possible, since bodies are written down more readily.
fn auth(metadata: &Metadata, has_secret: bool) -> Result<AuthType, String> {
    if !has_secret {
        // A public client proves nothing; its name goes into the body.
        return Ok(AuthType::RequestBody);
    }
    let Some(methods) = &metadata.token_endpoint_auth_methods_supported else {
        return Ok(AuthType::BasicAuth);
    };
    let takes = |name: &str| methods.iter().any(|method| method == name);
    if takes("client_secret_basic") {
        Ok(AuthType::BasicAuth)
    } else if takes("client_secret_post") {
        Ok(AuthType::RequestBody)
    } else {
        Err("it takes a client's secret neither in a header nor in a form".to_owned())
    }
}
