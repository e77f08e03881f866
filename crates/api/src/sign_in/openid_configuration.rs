//! `GET /.well-known/openid-configuration`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;

use super::Document;
use crate::Service;

/// A discovery document.
#[derive(ToSchema)]
#[schema(as = OpenidConfiguration)]
#[expect(dead_code, reason = "the form of what the provider says of itself")]
pub struct Configuration {
    /// The issuer of the tokens, and their audience.
    #[schema(example = "https://weir.example.org")]
    issuer: String,
    /// Where the keys are.
    #[schema(example = "https://weir.example.org/.well-known/jwks.json")]
    jwks_uri: String,
    /// How tokens are signed.
    #[schema(example = json!(["ES256"]))]
    id_token_signing_alg_values_supported: Vec<String>,
    /// None: people sign in by links or by other providers, and there is no authorization endpoint.
    #[schema(example = json!([]))]
    response_types_supported: Vec<String>,
    /// A person is called the same for everybody.
    #[schema(example = json!(["public"]))]
    subject_types_supported: Vec<String>,
    /// What tokens say.
    #[schema(example = json!(["iss", "aud", "sub", "email", "email_verified", "sid", "iat", "exp", "jti"]))]
    claims_supported: Vec<String>,
}

/// What others have to know to verify tokens
///
/// The part of OpenID Connect Discovery that is true here: enough for a service that verifies the access
/// tokens that are given out.
#[utoipa::path(
    get,
    path = "/.well-known/openid-configuration",
    operation_id = "openid_configuration",
    tag = "sign-in",
    security(()),
)]
pub async fn openid_configuration(State(service): State<Arc<Service>>) -> Document<Configuration> {
    Document::of(&service.sign_in.discovery())
}
