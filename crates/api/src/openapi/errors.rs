//! The errors of an operation.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde_json::json;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::{
    ContentBuilder, Header, HeaderBuilder, Ref, RefOr, Response, ResponseBuilder,
};
use utoipa::{IntoResponses, PartialSchema, ToSchema};

use crate::error::{ApiError, ErrorBody, ErrorCode};

/// A list of error codes, as a type: one of [`codes`](crate::error::codes), or a tuple of them.
pub trait Codes {
    /// The codes.
    fn list() -> Vec<ErrorCode>;
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: Codes),+> Codes for ($($name,)+) {
            fn list() -> Vec<ErrorCode> {
                [$($name::list()),+].concat()
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

/// The error responses of an operation, for `responses(…)` in `#[utoipa::path]`: one for each status,
/// with a description and an example of each code that comes with it.
pub struct Errors<C>(PhantomData<C>);

impl<C: Codes> IntoResponses for Errors<C> {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        by_status(C::list())
    }
}

/// What a handler fails with is not in its return type but in its list of [`Errors`].
impl IntoResponses for ApiError {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        BTreeMap::new()
    }
}

/// The responses for those codes.
pub(super) fn by_status(mut codes: Vec<ErrorCode>) -> BTreeMap<String, RefOr<Response>> {
    codes.sort_unstable();
    codes.dedup();
    let mut statuses: BTreeMap<String, Vec<ErrorCode>> = BTreeMap::new();
    for code in codes {
        statuses.entry(code.status().as_str().to_owned()).or_default().push(code);
    }
    let responses = statuses.into_iter().map(|(status, codes)| (status, response(&codes).into()));
    responses.collect()
}

/// The codes that a response lists.
pub(super) fn listed(response: &RefOr<Response>) -> Vec<ErrorCode> {
    let RefOr::T(response) = response else { return Vec::new() };
    let Some(RefOr::T(content)) = response.content.get("application/json") else {
        return Vec::new();
    };
    content.examples.keys().filter_map(|name| ErrorCode::parse(name)).collect()
}

fn response(codes: &[ErrorCode]) -> Response {
    let lines = codes.iter().map(|code| format!("`{code}`: {}", code.description()));
    let description = lines.collect::<Vec<_>>().join("\n\n");
    let examples = codes.iter().map(|code| {
        let example = ExampleBuilder::new().summary(code.description()).value(Some(json!({
            "status": "error",
            "error_code": code,
            "message": code.description(),
            "details": code.example_details(),
        })));
        (code.as_str(), example)
    });
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(ErrorBody::name())))
        .examples_from_iter(examples);
    let response = ResponseBuilder::new().description(description);
    let response = match codes {
        [ErrorCode::ServiceUnavailable | ErrorCode::RateLimitExceeded, ..] => {
            response.header("Retry-After", retry_after())
        }
        _ => response,
    };
    response.content("application/json", content).build()
}

fn retry_after() -> Header {
    HeaderBuilder::new()
        .schema(Some(u32::schema()))
        .description(Some("After how many seconds it may be tried again."))
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::codes;

    type Some =
        Errors<(codes::HierarchyTooDeep, codes::DeviceNotFound, codes::DeviceAlreadyExists)>;

    #[test]
    fn codes_that_share_a_status_share_a_response() {
        let responses = Some::responses();
        assert_eq!(responses.keys().collect::<Vec<_>>(), ["400", "404"]);
        assert_eq!(
            listed(&responses["400"]),
            [ErrorCode::DeviceAlreadyExists, ErrorCode::HierarchyTooDeep]
        );
        assert_eq!(listed(&responses["404"]), [ErrorCode::DeviceNotFound]);
        let RefOr::T(both) = &responses["400"] else { panic!("not a reference") };
        assert!(both.description.contains("`HIERARCHY_TOO_DEEP`: A device"));
        assert!(both.description.contains("`DEVICE_ALREADY_EXISTS`: A live device"));
    }

    #[test]
    fn later_has_a_time() {
        for response in Errors::<(codes::ServiceUnavailable, codes::RateLimitExceeded)>::responses()
        {
            let RefOr::T(later) = response.1 else { panic!("not a reference") };
            assert!(later.headers.contains_key("Retry-After"));
        }
    }

    #[test]
    fn one_code_needs_no_tuple() {
        assert_eq!(Errors::<codes::InvalidStatus>::responses().len(), 1);
    }
}
