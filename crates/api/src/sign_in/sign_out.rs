//! `POST /auth/sign-out`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::refresh::Presented;
use crate::Service;
use crate::body::Json;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;

/// Somebody who signed out.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignedOut {
    /// Always true: whatever the token was, there is no session of it any more.
    #[schema(example = true)]
    signed_out: bool,
}

/// Sign out
///
/// Ends the session of a refresh token. Its access tokens open nothing any more, here at once and on
/// other nodes within a minute. The answer is the same where there was no such session.
#[utoipa::path(
    post,
    path = "/auth/sign-out",
    operation_id = "sign_out",
    tag = "sign-in",
    security(()),
    request_body = Presented,
    responses(Errors<codes::ServiceUnavailable>),
    extensions(("x-example" = json!({ "message": "You are signed out." }))),
)]
pub async fn sign_out(
    State(service): State<Arc<Service>>,
    Json(presented): Json<Presented>,
) -> Result<Success<SignedOut>, ApiError> {
    service.sign_in.sign_out(&presented.refresh_token).await?;
    Ok(Success::of(SignedOut { signed_out: true }).with_message("You are signed out."))
}
