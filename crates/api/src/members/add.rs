//! `POST /api/v1/members`

use std::sync::Arc;

use axum::extract::State;
use serde_json::Value;
use utoipa::ToSchema;
use weir_app::members::{self, NewMember};
use weir_domain::member::Role;
use weir_domain::person::{Email, Identity, Subject};

use super::MemberView;
use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::envelope::Success;
use crate::error::{ApiError, ErrorCode, codes};
use crate::fields::{Problems, json, text};
use crate::openapi::Errors;

/// A member to add: `email`, or `issuer` and `subject`.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `NewMember` is read from")]
pub struct AddMember {
    /// The e-mail address that they are known by; case does not matter.
    #[schema(max_length = 254, required = false, nullable = false, example = "ada@example.org")]
    email: Option<String>,
    /// The issuer of tokens that knows them, to the letter.
    #[schema(min_length = 1, max_length = 255, required = false, nullable = false)]
    issuer: Option<String>,
    /// What the issuer calls them: the `sub` of their tokens, to the letter.
    #[schema(min_length = 1, max_length = 255, required = false, nullable = false)]
    subject: Option<String>,
    /// `admin`, who may do everything, or `viewer`, who may look.
    #[schema(pattern = "^(admin|viewer)$", default = "admin", required = false, nullable = false)]
    role: Option<String>,
}

impl FromBody for NewMember {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let email = fields.optional("email", email);
        let issuer = fields.optional("issuer", subject_part);
        let subject = fields.optional("subject", subject_part);
        let role = fields.optional("role", role);
        require_one_identity(fields);
        let identity = match (email, issuer, subject) {
            (Some(email), None, None) => Identity::Email(email),
            (None, Some(issuer), Some(subject)) => {
                Identity::Subject(Subject::new(&issuer, &subject).ok()?)
            }
            _ => return None,
        };
        Some(Self { identity, role: role.unwrap_or_default() })
    }
}

/// Notes where fields are there that do not make up one identity.
fn require_one_identity(fields: &mut BodyFields<'_>) {
    let has = ["email", "issuer", "subject"].map(|name| fields.has(name));
    let (field, message) = match has {
        [true, false, false] | [false, true, true] => return,
        [false, false, false] => return fields.require_any(&["email", "subject"]),
        [false, true, false] => ("subject", "is required beside issuer"),
        [false, false, true] => ("issuer", "is required beside subject"),
        [true, ..] => ("email", "must not stand beside issuer or subject"),
    };
    fields.refuse_as(ErrorCode::ValidationError, field, message);
}

fn email(value: &Value) -> Result<Email, Problems> {
    json::string(|text| Email::parse(text).map_err(|error| error.to_string().into()))(value)
}

fn subject_part(value: &Value) -> Result<String, Problems> {
    json::string(|text| Subject::part(text).map_err(|error| error.to_string().into()))(value)
}

fn role(value: &Value) -> Result<Role, Problems> {
    let words = [Role::Admin, Role::Viewer].map(|role| (role.as_str(), role));
    json::string(text::one_of(&words))(value)
}

/// Add a member
///
/// Someone who may sign in for the caller's reseller: by an e-mail address that their identity provider
/// has verified, or by what an issuer calls them. Without a role, they may do everything.
#[utoipa::path(
    post,
    path = "/api/v1/members",
    operation_id = "add_member",
    tag = "members",
    security(("api_key" = []), ("bearer" = [])),
    request_body = AddMember,
    responses(Errors<(codes::ValidationError, codes::MemberAlreadyExists)>),
    extensions(("x-example" = json!({
        "message": "ada@example.org is a member now."
    }))),
)]
pub async fn add(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    Json(new): Json<NewMember>,
) -> Result<Success<MemberView>, ApiError> {
    let (env, reseller) = (service.env.clone(), caller.scope.reseller());
    let added =
        service.db.write(&caller.scope, move |tx| members::add(tx, &env, reseller, &new)).await?;
    let message = format!("{} is a member now.", added.identity);
    Ok(Success::of(MemberView::of(added)).with_message(message))
}
