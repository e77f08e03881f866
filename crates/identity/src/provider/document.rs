//! What others have to know to verify the tokens of the provider.

use serde::Serialize;

use super::PublicUrl;

/// The path of the published keys.
const KEYS: &str = "/.well-known/jwks.json";

/// The discovery document of OpenID Connect, as far as it is true here: there is no authorization
/// endpoint, since people sign in by links and by other providers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Discovery {
    /// The issuer of the tokens.
    pub issuer: String,
    /// Where the keys are.
    pub jwks_uri: String,
    /// How tokens are signed.
    pub id_token_signing_alg_values_supported: [&'static str; 1],
    /// The responses of the authorization endpoint, of which there are none.
    pub response_types_supported: [&'static str; 0],
    /// That a person has the same subject for all.
    pub subject_types_supported: [&'static str; 1],
    /// What tokens say.
    pub claims_supported: [&'static str; 9],
}

impl Discovery {
    pub(super) fn of(url: &PublicUrl) -> Self {
        Self {
            issuer: url.to_string(),
            jwks_uri: url.at(KEYS),
            id_token_signing_alg_values_supported: ["ES256"],
            response_types_supported: [],
            subject_types_supported: ["public"],
            claims_supported: [
                "iss",
                "aud",
                "sub",
                "email",
                "email_verified",
                "sid",
                "iat",
                "exp",
                "jti",
            ],
        }
    }
}
