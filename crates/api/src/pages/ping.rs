//! A sign of life.

use serde::Serialize;
use utoipa::ToSchema;

use crate::envelope::Success;

/// A sign of life.
#[derive(Debug, Serialize, ToSchema)]
pub struct Pong {
    /// Always true.
    #[schema(example = true)]
    pong: bool,
}

/// Ask for a sign of life
///
/// Answers as long as the process runs, whatever the state of the store.
#[utoipa::path(get, path = "/ping", tag = "service", security())]
pub(crate) async fn ping() -> Success<Pong> {
    Success::of(Pong { pong: true })
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use serde_json::json;

    use super::*;
    use crate::testing::{ask, request};

    #[tokio::test]
    async fn it_answers() {
        let app = Router::new().route("/ping", get(ping));
        let answer = ask(app, request("GET /ping").empty()).await;
        assert_eq!(answer.json(), &json!({ "data": { "pong": true }, "status": "success" }));
    }
}
