//! Scripts, styles and the mark. They are compiled in, and their addresses change with their content, so that
//! browsers may keep them for ever.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use sha2::{Digest, Sha256};

use crate::problem::Problem;

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Every file: its name, what it is, and its content.
const FILES: [(&str, &str, &str); 10] = [
    ("weir.css", CSS, include_str!("../assets/weir.css")),
    ("fleet.css", CSS, include_str!("../assets/fleet.css")),
    ("fleet.js", JAVASCRIPT, include_str!("../assets/fleet.js")),
    ("device.css", CSS, include_str!("../assets/device.css")),
    ("chart.css", CSS, include_str!("../assets/chart.css")),
    ("chart.js", JAVASCRIPT, include_str!("../assets/chart.js")),
    ("hierarchy.css", CSS, include_str!("../assets/hierarchy.css")),
    ("hierarchy.js", JAVASCRIPT, include_str!("../assets/hierarchy.js")),
    ("mark.svg", SVG, include_str!("../assets/mark.svg")),
    ("copy.js", JAVASCRIPT, include_str!("../assets/copy.js")),
];

/// One version for all, so that scripts find each other beside them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for (name, _, content) in FILES {
        hash.update(name);
        hash.update(content);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
});

/// The address of a file.
pub fn asset(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Serves a file, whatever the version that is asked for: a page may be older than the program.
pub(crate) async fn serve(Path((version, name)): Path<(String, String)>) -> Response {
    let Some((_, kind, content)) = FILES.iter().find(|file| file.0 == name) else {
        return Problem::NotFound.into_response();
    };
    let caching = match version == *VERSION {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let headers =
        [(CONTENT_TYPE, *kind), (CACHE_CONTROL, caching), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, *content).into_response()
}
