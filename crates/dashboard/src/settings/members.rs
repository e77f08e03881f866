//! `POST /settings/members/…`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use weir_app::AppError;
use weir_app::members::{self, MemberRef, NewMember};
use weir_domain::Refusal;
use weir_domain::member::Role;
use weir_domain::person::{Email, Identity};

use super::PATH;
use super::entry::{Entry, kept};
use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::Form;
use crate::problem::Problem;
use crate::text::settings::members as text;
use crate::visitor::Editor;

/// `/add`: makes somebody a member, by their address.
pub async fn add_member(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let typed = fields.filled("email").unwrap_or_default();
    let mut entry = Entry { email: kept(typed), ..Entry::default() };
    let email = entry.complaints.read("email", Email::parse(typed));
    let role = entry.complaints.read("role", Role::parse(fields.text("role")));
    let (Some(email), Some(role)) = (email, role) else {
        return entry.returned(&dashboard, &visitor).await;
    };
    let new = NewMember { identity: Identity::Email(email), role };
    let (env, scope) = (dashboard.env.clone(), &visitor.caller.scope);
    let reseller = scope.reseller();
    match dashboard.db.write(scope, move |tx| members::add(tx, &env, reseller, &new)).await {
        Ok(added) => {
            let told = text::added(&added.identity.to_string());
            dashboard.send_on(PATH, Flash::success(told))
        }
        Err(error) => entry.refused(&dashboard, &visitor, "email", error).await,
    }
}

/// `/remove`: takes somebody off the members.
pub async fn remove_member(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let member = MemberRef::parse_id(fields.text("id")).ok_or(Problem::NotFound)?;
    let scope = &visitor.caller.scope;
    let reseller = scope.reseller();
    let removed = dashboard.db.write(scope, move |tx| members::remove(tx, reseller, &member));
    let told = match removed.await {
        Ok(removed) => Flash::success(text::removed(&removed.identity.to_string())),
        // It is not offered; another admin may have gone meanwhile.
        Err(AppError::Refused(refusal @ Refusal::LastAdmin(_))) => {
            Flash::failure(refusal.to_string())
        }
        Err(error) => return Err(error.into()),
    };
    dashboard.send_on(PATH, told)
}
