//! Schemas that travel with a response.
//!
//! utoipa collects the schemas of request bodies, but not those that only a return type knows: its
//! trait for responses has no place for them. So a response carries them in an extension, and they are
//! moved to the components when the document is complete.

use serde_json::{Map, Value, json};
use utoipa::openapi::extensions::{Extensions, ExtensionsBuilder};
use utoipa::openapi::{RefOr, Response, Schema};

use super::Schemas;

const SCHEMAS: &str = "x-schemas";

/// The extension that carries schemas.
pub(crate) fn carry(schemas: Schemas) -> Extensions {
    let schemas: Map<String, Value> =
        schemas.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    ExtensionsBuilder::new().add(SCHEMAS, schemas).build()
}

/// Takes the schemas that a response carries.
pub(super) fn unload(response: &mut Response) -> Schemas {
    let Some(extensions) = &mut response.extensions else { return Schemas::new() };
    let schemas = extensions.remove(SCHEMAS);
    if extensions.is_empty() {
        response.extensions = None;
    }
    let Some(Value::Object(schemas)) = schemas else { return Schemas::new() };
    let read = |(name, schema)| {
        // What does not come back as it went is left out, and its reference shows it in the tests.
        let schema: RefOr<Schema> = serde_json::from_value(schema).ok()?;
        Some((name, schema))
    };
    schemas.into_iter().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use utoipa::openapi::ResponseBuilder;
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    #[derive(ToSchema)]
    #[allow(dead_code)]
    struct Cargo {
        /// Documented.
        #[schema(example = "70B3D57ED02A3654", pattern = "^[0-9a-fA-F]{16}$")]
        eui: String,
        #[schema(minimum = 0, maximum = 10)]
        level: Option<i32>,
        trend: Vec<f64>,
        kind: Kind,
        next: Option<Box<Kind>>,
        #[schema(value_type = Object)]
        more: Value,
    }

    #[derive(ToSchema)]
    #[allow(dead_code)]
    enum Kind {
        Water,
    }

    #[test]
    fn schemas_arrive_as_they_left() {
        let mut schemas = vec![("Cargo".to_owned(), Cargo::schema())];
        Cargo::schemas(&mut schemas);
        assert!(schemas.iter().any(|(name, _)| name == "Kind"));
        let expected: Map<String, Value> =
            schemas.iter().map(|(name, schema)| (name.clone(), json!(schema))).collect();
        let mut response = ResponseBuilder::new().extensions(Some(carry(schemas))).build();
        let arrived = unload(&mut response).into_iter().map(|(name, s)| (name, json!(s)));
        assert_eq!(arrived.collect::<Map<_, _>>(), expected);
        assert!(response.extensions.is_none());
        assert!(unload(&mut response).is_empty());
    }
}
