//! The OpenAPI document, and two ways to look at it. Everything is embedded; nothing is fetched from
//! elsewhere, and the pages are told not to try.

use std::borrow::Cow;
use std::sync::Arc;

use aide::redoc::Redoc;
use axum::Router;
use axum::extract::RawPathParams;
use axum::extract::rejection::RawPathParamsRejection;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::HeaderValue;
use http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use utoipa::openapi::OpenApi;
use utoipa_swagger_ui::Config;

use crate::error::{ApiError, ErrorCode};

/// Scripts and styles stand inside the pages, pictures in their text, and Redoc searches in a worker
/// that it makes itself.
const POLICY: &str = "default-src 'self'; script-src 'self' 'unsafe-inline'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; worker-src blob:; frame-ancestors 'none'";

/// The routes of the documentation.
pub(crate) fn documentation<S: Clone + Send + Sync + 'static>(document: &OpenApi) -> Router<S> {
    let document = Bytes::from(serde_json::to_vec(document).unwrap_or_default());
    let openapi = move || async move { ([(CONTENT_TYPE, "application/json")], document) };
    let page = Bytes::from(Redoc::new("openapi.json").with_title("Weir").html());
    let redoc = move || async move { with_policy(Html(page)) };
    Router::new()
        .route("/openapi.json", get(openapi))
        .route("/redoc", get(redoc))
        .route("/docs", get(swagger_without_slash))
        .route("/docs/", get(async || swagger("")))
        .route("/docs/{*file}", get(swagger_file))
}

async fn swagger_file(path: Result<RawPathParams, RawPathParamsRejection>) -> Response {
    let file = path.ok().and_then(|path| path.iter().next().map(|(_, file)| file.to_owned()));
    match file {
        Some(file) => swagger(&file),
        None => ApiError::of(ErrorCode::NotFound).into_response(),
    }
}

/// The page refers to its files by relative paths. Without the slash at the end these would lead
/// astray, so there it is told where it stands.
async fn swagger_without_slash() -> Response {
    let page = embedded("index.html").map(|(_, page)| String::from_utf8_lossy(&page).into_owned());
    match page {
        Some(page) => with_policy(Html(page.replacen("<head>", "<head><base href=\"docs/\">", 1))),
        None => ApiError::of(ErrorCode::NotFound).into_response(),
    }
}

fn swagger(file: &str) -> Response {
    match embedded(file) {
        Some((content_type, bytes)) => with_policy(([(CONTENT_TYPE, content_type)], bytes)),
        None => ApiError::of(ErrorCode::NotFound).into_response(),
    }
}

fn embedded(file: &str) -> Option<(String, Bytes)> {
    let config = Config::from("../openapi.json").display_operation_id(true).filter(true);
    // The files are compiled in, so there is no error but a bug in them.
    let file = utoipa_swagger_ui::serve(file, Arc::new(config)).ok()??;
    let bytes = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    };
    Some((file.content_type, bytes))
}

fn with_policy(page: impl IntoResponse) -> Response {
    let mut response = page.into_response();
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Answer, ask, request};

    async fn answer(path: &str) -> Answer {
        let app = documentation::<()>(&crate::openapi::document());
        ask(app, request(&format!("GET {path}")).empty()).await
    }

    #[tokio::test]
    async fn the_document_is_served() {
        let answer = answer("/openapi.json").await;
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["info"]["title"], "Weir");
        assert!(answer.json()["openapi"].as_str().unwrap().starts_with("3.1"));
    }

    #[tokio::test]
    async fn swagger_finds_its_files_with_and_without_a_slash() {
        let bare = answer("/docs").await;
        assert_eq!(bare.status, 200);
        assert!(bare.text().contains(r#"<base href="docs/">"#));
        let page = answer("/docs/").await;
        assert!(page.header("content-type").starts_with("text/html"));
        assert!(!page.text().contains("<base"));
        let files: Vec<String> = page
            .text()
            .split(['"', '\''])
            .filter(|text| {
                text.ends_with(".js") || text.ends_with(".css") || text.ends_with(".png")
            })
            .map(|file| file.trim_start_matches("./").to_owned())
            .collect();
        assert!(files.len() >= 5, "{files:?}");
        for file in files {
            assert_eq!(answer(&format!("/docs/{file}")).await.status, 200, "{file}");
        }
        let start = answer("/docs/swagger-initializer.js").await;
        assert!(start.text().contains("../openapi.json"));
        assert_eq!(answer("/docs/nothing.js").await.code(), "NOT_FOUND");
        assert_eq!(answer("/docs/%ff").await.code(), "NOT_FOUND");
    }

    #[tokio::test]
    async fn redoc_is_one_page_with_all_in_it() {
        let page = answer("/redoc").await;
        assert!(page.body.len() > 500_000);
        assert!(page.text().contains("Redoc.init(\"openapi.json\""));
        assert!(!page.text().contains("<script src"));
        assert!(page.header("content-security-policy").starts_with("default-src 'self'"));
    }
}
