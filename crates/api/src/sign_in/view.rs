//! Tokens as callers see them.

use serde::Serialize;
use utoipa::ToSchema;
use weir_identity::provider::Tokens;
use zeroize::Zeroizing;

/// What somebody gets who signed in.
#[derive(Serialize, ToSchema)]
#[schema(as = Tokens)]
pub struct TokensView {
    /// To be sent as `Authorization: Bearer …` with every request.
    #[schema(value_type = String, example = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl")]
    #[serde(serialize_with = "reveal")]
    access_token: Zeroizing<String>,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// For how many seconds the access token is good.
    #[schema(example = 300)]
    expires_in: u64,
    /// To be exchanged, once, for new tokens at `/auth/refresh`.
    #[schema(value_type = String, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a20.8J3nRz0kq7mU1vYwXo2pTg5bLd9sHcEfA4iKtQxZyBW6rNjVuMlSaPeGhCDkOF7I")]
    #[serde(serialize_with = "reveal")]
    refresh_token: Zeroizing<String>,
    /// For how many seconds the refresh token is good.
    #[schema(example = 2_592_000)]
    refresh_expires_in: u64,
}

fn reveal<S: serde::Serializer>(text: &Zeroizing<String>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}

impl From<Tokens> for TokensView {
    fn from(tokens: Tokens) -> Self {
        Self {
            access_token: tokens.access,
            token_type: "Bearer",
            expires_in: tokens.access_seconds,
            refresh_token: tokens.refresh,
            refresh_expires_in: tokens.refresh_seconds,
        }
    }
}
