//! The operations of the OpenAPI document.

use http::Method;
use serde_json::{Map, Value};

/// An operation of the document that stands behind authentication.
#[derive(Clone)]
pub struct Operation {
    /// Its method and path template.
    pub name: String,
    pub method: Method,
    pub path: String,
    pub takes_tokens: bool,
    /// What the document says of it.
    pub described: Value,
}

/// Every operation of the document that stands behind authentication.
pub fn operations() -> Vec<Operation> {
    let document = serde_json::to_value(weir_api::openapi::document()).unwrap();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, described) in item.as_object().unwrap() {
            if !path.starts_with("/api/v1/") {
                continue;
            }
            let method: Method = method.to_uppercase().parse().unwrap();
            let schemes = described["security"].as_array().unwrap();
            operations.push(Operation {
                name: format!("{method} {path}"),
                method,
                path: path.clone(),
                takes_tokens: schemes.iter().any(|scheme: &Value| scheme.get("bearer").is_some()),
                described: described.clone(),
            });
        }
    }
    assert!(operations.len() > 30);
    operations
}

/// The named schemas of the document.
pub fn schemas() -> Map<String, Value> {
    let document = serde_json::to_value(weir_api::openapi::document()).unwrap();
    document["components"]["schemas"].as_object().unwrap().clone()
}

/// An operation without its query, and without the names of what stands in its path.
pub fn unnamed(operation: &str) -> String {
    let path = operation.split('?').next().unwrap_or_default();
    let step = |step: &str| if step.starts_with('{') { "{}".to_owned() } else { step.to_owned() };
    path.split('/').map(step).collect::<Vec<_>>().join("/")
}

impl Operation {
    /// The names of its parameters in a place: `path` or `query`.
    pub fn parameters(&self, place: &str) -> Vec<&str> {
        let parameters = self.described["parameters"].as_array().into_iter().flatten();
        let here = parameters.filter(|parameter| parameter["in"] == place);
        here.map(|parameter| parameter["name"].as_str().unwrap()).collect()
    }

    /// Its path, with the names that [`Belongings`](super::Belongings) know.
    pub fn path_of_belongings(&self) -> String {
        let id = match self.path.split('/').nth(3) {
            Some("customers") => "{customer_id}",
            Some("members") => "{member_id}",
            _ => "{end_user_id}",
        };
        self.path.replace("{id}", id)
    }
}
