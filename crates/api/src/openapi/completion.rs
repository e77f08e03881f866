//! What all operations have in common, added once all are there.

use std::mem;

use serde_json::{Map, Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{
    Components, Content, HeaderBuilder, OpenApi, Ref, RefOr, Required, Response, Schema,
};

use super::carried::unload;
use super::errors::{by_status, listed};
use super::{BEARER, example};
use crate::error::ErrorCode;

const REQUEST_ID: &str = "X-Request-Id";
/// The extension in which an operation refines the example of its success.
const EXAMPLE: &str = "x-example";

/// Completes a document of operations.
pub(crate) fn complete(document: &mut OpenApi) {
    let components = document.components.get_or_insert_with(Components::new);
    for operation in document.paths.paths.values_mut().flat_map(operations) {
        drop_empty_security(operation);
        drop_null_body(operation);
        add_choice_of_reseller(operation);
        add_common_errors(operation);
        for response in responses(operation) {
            components.schemas.extend(unload(response));
            response.headers.insert(
                REQUEST_ID.to_owned(),
                RefOr::Ref(Ref::new(format!("#/components/headers/{REQUEST_ID}"))),
            );
        }
    }
    let request_id = HeaderBuilder::new().schema(Some(String::schema())).description(Some(
        "Names the request in the log: the caller's, if it sent one, else a new one.",
    ));
    components.headers.insert(REQUEST_ID.to_owned(), request_id.build().into());

    let schemas: Map<String, Value> = components.schemas.iter().map(shown).collect();
    for path in document.paths.paths.values_mut() {
        for operation in operations(path) {
            for content in contents(operation) {
                add_example(content, &schemas);
            }
            refine_example(operation);
        }
        // Reading changes nothing, so there is nothing to tell about it.
        for response in path.get.iter_mut().flat_map(responses) {
            drop_message(response);
        }
    }
}

fn operations(path: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let PathItem { get, put, post, delete, patch, head, options, trace, .. } = path;
    [get, put, post, delete, patch, head, options, trace].into_iter().filter_map(Option::as_mut)
}

fn responses(operation: &mut Operation) -> impl Iterator<Item = &mut Response> {
    operation.responses.responses.values_mut().filter_map(in_place)
}

/// What stands here itself, and not by reference.
fn in_place<T>(item: &mut RefOr<T>) -> Option<&mut T> {
    match item {
        RefOr::T(item) => Some(item),
        RefOr::Ref(_) => None,
    }
}

/// A public operation may say so by an empty requirement or by none; it is told as none.
fn drop_empty_security(operation: &mut Operation) {
    if let Some(schemes) = &mut operation.security {
        schemes.retain(|scheme| json!(scheme) != json!({}));
    }
}

/// A body that may be absent is told as one that may be null, which no body may be.
fn drop_null_body(operation: &mut Operation) {
    let Some(RefOr::T(body)) = &mut operation.request_body else { return };
    for content in body.content.values_mut().filter_map(in_place) {
        let Some(RefOr::T(Schema::OneOf(variants))) = &mut content.schema else { continue };
        variants.items.retain(|variant| json!(variant)["type"] != "null");
        if let [only] = variants.items.as_slice() {
            content.schema = Some(only.clone());
        }
    }
}

/// A user of several resellers says for which one they ask.
fn add_choice_of_reseller(operation: &mut Operation) {
    if !takes_tokens(operation) {
        return;
    }
    let uuid = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    let header = ParameterBuilder::new()
        .name("X-Reseller-Id")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .schema(Some(uuid.build()))
        .description(Some(
            "With a bearer token, the reseller for which the user asks. Needed where they belong to \
             several.",
        ));
    operation.parameters.get_or_insert_default().push(header.build().into());
}

fn takes_tokens(operation: &Operation) -> bool {
    let schemes = operation.security.iter().flatten();
    schemes.into_iter().any(|scheme| json!(scheme).get(BEARER).is_some())
}

/// Joins the codes that the operation lists with those that follow from what it has.
fn add_common_errors(operation: &mut Operation) {
    let responses = mem::take(&mut operation.responses.responses);
    let mut codes: Vec<ErrorCode> = responses.values().flat_map(listed).collect();
    operation.responses.responses = responses;
    codes.extend(common_codes(operation, &codes));
    operation.responses.responses.extend(by_status(codes));
}

fn common_codes(operation: &Operation, own: &[ErrorCode]) -> Vec<ErrorCode> {
    let mut codes = vec![ErrorCode::InternalError];
    let schemes = operation.security.as_deref().unwrap_or_default();
    if !schemes.is_empty() {
        codes.extend([ErrorCode::InvalidApiKey, ErrorCode::ServiceUnavailable]);
        if takes_tokens(operation) {
            // Of users, some may only look, and some belong to several resellers and have to say to which
            // they mean.
            codes.extend([
                ErrorCode::InvalidToken,
                ErrorCode::Forbidden,
                ErrorCode::ValidationError,
                ErrorCode::SchemaValidationError,
            ]);
        }
    }
    let has_body = operation.request_body.is_some();
    if has_body {
        codes.extend([ErrorCode::PayloadTooLarge, ErrorCode::UnsupportedMediaType]);
    }
    let parameters = operation.parameters.iter().flatten();
    let needs_schema = |parameter: &RefOr<utoipa::openapi::path::Parameter>| match parameter {
        RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Path => {
            !own.contains(&ErrorCode::InvalidDeviceId)
        }
        _ => true,
    };
    if has_body || parameters.into_iter().any(needs_schema) {
        codes.push(ErrorCode::SchemaValidationError);
    }
    codes
}

/// The contents of an operation's body and responses.
fn contents(operation: &mut Operation) -> impl Iterator<Item = &mut Content> {
    let body = operation.request_body.iter_mut().filter_map(in_place);
    let body = body.flat_map(|body| body.content.values_mut());
    let responses = operation.responses.responses.values_mut().filter_map(in_place);
    let responses = responses.flat_map(|response| response.content.values_mut());
    body.chain(responses).filter_map(in_place)
}

/// Gives a content an example where it has none of its own.
fn add_example(content: &mut Content, schemas: &Map<String, Value>) {
    let has_example = content.example.is_some() || !content.examples.is_empty();
    if let (false, Some(schema)) = (has_example, &content.schema) {
        content.example = Some(example::compose(&json!(schema), schemas));
    }
}

/// Lays what an operation says of its own success over the example that was composed.
fn refine_example(operation: &mut Operation) {
    let own = operation.extensions.as_mut().and_then(|extensions| extensions.remove(EXAMPLE));
    operation.extensions.take_if(|extensions| extensions.is_empty());
    let success = operation.responses.responses.get_mut("200");
    let (Some(own), Some(RefOr::T(success))) = (own, success) else { return };
    for content in success.content.values_mut() {
        if let RefOr::T(Content { example: Some(example), .. }) = content {
            example::refine(example, &own);
        }
    }
}

fn shown((name, schema): (&String, &RefOr<Schema>)) -> (String, Value) {
    (name.clone(), json!(schema))
}

fn drop_message(response: &mut Response) {
    for content in response.content.values_mut() {
        if let RefOr::T(content) = content
            && let Some(Value::Object(example)) = &mut content.example
        {
            example.remove("message");
        }
    }
}

#[cfg(test)]
mod tests;
