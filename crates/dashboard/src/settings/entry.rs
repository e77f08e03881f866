//! What somebody typed into the page, and what is to be told beside it.

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::AppError;
use weir_domain::Refusal;

use super::page;
use crate::Dashboard;
use crate::forms::{Complaints, Fields};
use crate::problem::Problem;
use crate::visitor::Visitor;

/// What stands in the fields of the page, and what is wrong with that. One form is sent at a time.
#[derive(Debug, Default)]
pub struct Entry {
    /// The name of a new key.
    pub key: String,
    /// The address of a new member.
    pub email: String,
    /// Another tenant name.
    pub alias: String,
    /// Another time zone.
    pub timezone: Option<String>,
    /// What is wrong.
    pub complaints: Complaints,
    /// A key that is shown.
    pub revealed: Option<Revealed>,
}

/// A key that is shown.
#[derive(Debug)]
pub struct Revealed {
    /// Its name.
    pub name: String,
    /// Its text.
    pub key: String,
}

/// How many characters stay of what was typed: more than any field takes, and little enough for a page.
const LONGEST: usize = 500;

/// What stays of what was typed, so that it can be mended.
pub fn kept(typed: &str) -> String {
    typed.chars().take(LONGEST).collect()
}

impl Entry {
    /// The same, with a complaint about a field.
    pub fn complaining(mut self, field: &str, reason: impl std::fmt::Display) -> Self {
        self.complaints.add(field, reason);
        self
    }

    /// The page with this in its fields, because a use case refused it; what is not there is no page, and
    /// a failure of the store is its own.
    pub async fn refused(
        self,
        dashboard: &Dashboard,
        visitor: &Visitor,
        field: &str,
        error: AppError,
    ) -> Result<Response, Problem> {
        match error {
            AppError::Refused(Refusal::Invalid { reason, .. }) => {
                self.complaining(field, reason).returned(dashboard, visitor).await
            }
            AppError::Refused(refusal) if !refusal.code().ends_with("NOT_FOUND") => {
                self.complaining(field, refusal).returned(dashboard, visitor).await
            }
            error => Err(error.into()),
        }
    }

    /// The page with this in its fields, because something is wrong with it.
    pub async fn returned(
        self,
        dashboard: &Dashboard,
        visitor: &Visitor,
    ) -> Result<Response, Problem> {
        let page = page::show(dashboard, visitor, self, &Fields::default()).await?;
        Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
    }
}
