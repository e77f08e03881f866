//! `POST /auth/refresh`

use std::sync::Arc;

use axum::extract::State;
use utoipa::ToSchema;
use zeroize::Zeroizing;

use super::{LONGEST_TOKEN, TokensView};
use crate::Service;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{json, text};
use crate::openapi::Errors;

/// A refresh token.
#[derive(ToSchema)]
pub struct Presented {
    /// The newest one that was given out.
    #[schema(value_type = String, max_length = 1024, example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a20.8J3nRz0kq7mU1vYwXo2pTg5bLd9sHcEfA4iKtQxZyBW6rNjVuMlSaPeGhCDkOF7I")]
    pub(super) refresh_token: Zeroizing<String>,
}

impl FromBody for Presented {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let token = fields.required("refresh_token", json::string(text::any(LONGEST_TOKEN)));
        Some(Self { refresh_token: token?.into() })
    }
}

/// Exchange a refresh token for new tokens
///
/// Each refresh token works once; the answer holds the next. The last one works once more within 30
/// seconds, should the answer have been lost. A token that was used before ends the session: somebody
/// else may have it. A session ends 30 days after its last exchange.
#[utoipa::path(
    post,
    path = "/auth/refresh",
    operation_id = "refresh_tokens",
    tag = "sign-in",
    security(()),
    request_body = Presented,
    responses(Errors<(codes::InvalidToken, codes::ServiceUnavailable)>),
    extensions(("x-example" = json!({ "message": "Here are new tokens." }))),
)]
pub async fn refresh(
    State(service): State<Arc<Service>>,
    Json(presented): Json<Presented>,
) -> Result<Success<TokensView>, ApiError> {
    let tokens = service.sign_in.refresh(&presented.refresh_token).await?;
    Ok(Success::of(tokens.into()).with_message("Here are new tokens."))
}
