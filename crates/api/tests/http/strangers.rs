//! Nobody learns anything without credentials, or of another reseller.

mod credentials;
mod paths;
mod resellers;
mod table;

use http::Method;
use serde_json::Value;

/// An operation of the document.
struct Operation {
    /// Its method and path template.
    name: String,
    method: Method,
    path: String,
    takes_tokens: bool,
}

/// Every operation of the document that stands behind authentication.
fn operations() -> Vec<Operation> {
    let document = serde_json::to_value(weir_api::openapi::document()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            if !path.starts_with("/api/v1/") {
                continue;
            }
            let method: Method = method.to_uppercase().parse().unwrap();
            let schemes = operation["security"].as_array().unwrap();
            operations.push(Operation {
                name: format!("{method} {path}"),
                method,
                path: path.clone(),
                takes_tokens: schemes.iter().any(|scheme: &Value| scheme.get("bearer").is_some()),
            });
        }
    }
    assert!(operations.len() > 5);
    operations
}
