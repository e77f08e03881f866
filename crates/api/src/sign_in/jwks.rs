//! `GET /.well-known/jwks.json`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;

use super::Document;
use crate::Service;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;

/// A JSON Web Key Set.
#[derive(ToSchema)]
#[schema(as = JwkSet)]
#[expect(dead_code, reason = "the form of what jsonwebtoken writes")]
pub struct KeySet {
    /// The keys, oldest first.
    keys: Vec<PublicKey>,
}

/// A public key.
#[derive(ToSchema)]
#[schema(as = Jwk)]
#[expect(dead_code, reason = "the form of what jsonwebtoken writes")]
pub struct PublicKey {
    /// The name by which tokens refer to it.
    #[schema(example = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")]
    kid: String,
    /// Always `EC`.
    #[schema(example = "EC")]
    kty: String,
    /// Always `P-256`.
    #[schema(example = "P-256")]
    crv: String,
    /// Always `ES256`.
    #[schema(example = "ES256")]
    alg: String,
    /// Always `sig`.
    #[schema(rename = "use", example = "sig")]
    purpose: String,
    /// One coordinate.
    #[schema(example = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")]
    x: String,
    /// The other.
    #[schema(example = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")]
    y: String,
}

/// The keys that tokens are signed with
///
/// Everybody may verify the access tokens that are given out here. A key is published 10 minutes before
/// the first token is signed with it, and for a day after the last.
#[utoipa::path(
    get,
    path = "/.well-known/jwks.json",
    operation_id = "jwks",
    tag = "sign-in",
    security(()),
    responses(Errors<codes::ServiceUnavailable>),
)]
pub async fn jwks(State(service): State<Arc<Service>>) -> Result<Document<KeySet>, ApiError> {
    Ok(Document::of(&service.sign_in.jwks().await?))
}
