//! Pages on their way out.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};

use crate::problem::Problem;

/// A page. What cannot be written, which would be a bug in its template, is an internal error.
pub struct Shown<T>(pub T);

impl<T: Template> IntoResponse for Shown<T> {
    fn into_response(self) -> Response {
        match self.0.render() {
            Ok(page) => Html(page).into_response(),
            Err(error) => {
                tracing::error!(%error, "a page cannot be written");
                Problem::Internal.into_response()
            }
        }
    }
}
