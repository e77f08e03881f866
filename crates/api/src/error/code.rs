//! Every error code of the interface, with its status and its meaning.

use http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

macro_rules! codes {
    ($($name:ident = $code:literal, $status:ident, $description:literal;)*) => {
        /// What went wrong, for programs. Its text is the `error_code` of the body.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ErrorCode {
            $(#[doc = $description] $name,)*
        }

        impl ErrorCode {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its text.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// The HTTP status that it comes with.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }

            /// When it is given, in one sentence for people.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$name => $description,)* }
            }
        }

        /// The codes as types, so that an operation can list those it gives: see
        /// [`Errors`](crate::openapi::Errors).
        pub mod codes {
            use super::ErrorCode;
            use crate::openapi::Codes;

            $(
                #[doc = $description]
                #[derive(Debug, Clone, Copy)]
                pub struct $name;

                impl Codes for $name {
                    fn list() -> Vec<ErrorCode> {
                        vec![ErrorCode::$name]
                    }
                }
            )*
        }
    };
}

codes! {
    ValidationError = "VALIDATION_ERROR", BAD_REQUEST,
        "The request fits its schema and still makes no sense.";
    InvalidDeviceId = "INVALID_DEVICE_ID", BAD_REQUEST,
        "The Device EUI is not 16 hexadecimal characters.";
    InvalidPayloadFormat = "INVALID_PAYLOAD_FORMAT", BAD_REQUEST,
        "The payload has the keys of no known uplink format.";
    DeviceAlreadyExists = "DEVICE_ALREADY_EXISTS", BAD_REQUEST,
        "A live device has this EUI. Where it is your own, `details` names it.";
    MemberAlreadyExists = "MEMBER_ALREADY_EXISTS", BAD_REQUEST,
        "Someone who is known by the same address or subject is a member already.";
    HierarchyTooDeep = "HIERARCHY_TOO_DEEP", BAD_REQUEST,
        "A device would come to lie below level 10.";
    CircularReference = "CIRCULAR_REFERENCE", BAD_REQUEST,
        "The parent is the device itself or one of its descendants.";
    InvalidStatus = "INVALID_STATUS", BAD_REQUEST,
        "The status that can be set is `maintenance` or `auto`.";
    DevicesNotFound = "DEVICES_NOT_FOUND", BAD_REQUEST,
        "At least one of the devices is absent, deleted or another reseller's; nothing was changed.";
    InvalidApiKey = "INVALID_API_KEY", UNAUTHORIZED,
        "The API key is missing or not valid.";
    InvalidToken = "INVALID_TOKEN", UNAUTHORIZED,
        "The bearer token is malformed, expired or not trusted, or its user belongs to no reseller.";
    TenantMismatch = "TENANT_MISMATCH", FORBIDDEN,
        "The payload's tenant name is not that of the caller.";
    Forbidden = "FORBIDDEN", FORBIDDEN,
        "The role of the signed-in user does not allow this.";
    DeviceNotFound = "DEVICE_NOT_FOUND", NOT_FOUND,
        "No such device: absent, another reseller's, or not in the state that this needs.";
    ParentDeviceNotFound = "PARENT_DEVICE_NOT_FOUND", NOT_FOUND,
        "No such parent device: absent, deleted or another reseller's.";
    UserNotFound = "USER_NOT_FOUND", NOT_FOUND,
        "No such end user: absent or another reseller's.";
    CustomerNotFound = "CUSTOMER_NOT_FOUND", NOT_FOUND,
        "No such customer: absent or another reseller's.";
    MemberNotFound = "MEMBER_NOT_FOUND", NOT_FOUND,
        "No such member: absent or another reseller's.";
    ReportNotFound = "REPORT_NOT_FOUND", NOT_FOUND,
        "There is no such report.";
    AlertRuleNotFound = "ALERT_RULE_NOT_FOUND", NOT_FOUND,
        "There is no such alert rule.";
    NotFound = "NOT_FOUND", NOT_FOUND,
        "There is nothing at this path.";
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED,
        "This path does not take this method; the `Allow` header lists those that it takes.";
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", PAYLOAD_TOO_LARGE,
        "The body is larger than this operation takes.";
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", UNSUPPORTED_MEDIA_TYPE,
        "The Content-Type of the body is not JSON.";
    SchemaValidationError = "SCHEMA_VALIDATION_ERROR", UNPROCESSABLE_ENTITY,
        "The body, query or path does not fit its schema; `details.errors` names every offending field.";
    RateLimitExceeded = "RATE_LIMIT_EXCEEDED", TOO_MANY_REQUESTS,
        "Too many requests: the month's ingestion requests are used up, or too many sign-in links were asked for. \
         Try again after `Retry-After` seconds.";
    InternalError = "INTERNAL_ERROR", INTERNAL_SERVER_ERROR,
        "Something went wrong inside the service; `details.request_id` finds it in the log.";
    ServiceUnavailable = "SERVICE_UNAVAILABLE", SERVICE_UNAVAILABLE,
        "The service cannot do this right now; nothing was changed. Try again after `Retry-After` seconds.";
}

impl ErrorCode {
    /// The code of that text.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.as_str() == text)
    }

    /// What `details` may look like, for the documentation.
    pub(crate) fn example_details(self) -> Value {
        match self {
            Self::SchemaValidationError => json!({
                "errors": [{
                    "loc": ["body", "dev_eui"],
                    "message": "must be exactly 16 hexadecimal characters",
                }],
            }),
            Self::ValidationError => json!({
                "errors": [{ "loc": ["body", "name"], "message": "must not be blank" }],
            }),
            Self::InvalidStatus => json!({
                "errors": [{ "loc": ["body", "status"], "message": "must be maintenance or auto" }],
            }),
            Self::DeviceAlreadyExists => json!({
                "device_id": "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10",
                "dev_eui": "70B3D57ED02A3654",
                "name": "Main meter",
            }),
            Self::DevicesNotFound => json!({
                "device_ids": ["0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a14"],
            }),
            Self::TenantMismatch => json!({ "tenant_names": ["reseller one", "reseller-one"] }),
            Self::InvalidPayloadFormat => json!({
                "provided_keys": ["temperature"],
                "chirpstack": ["deviceInfo", "object"],
                "the_things_stack": ["end_device_ids", "uplink_message"],
            }),
            Self::InternalError => json!({ "request_id": "5f1c9b7e2f0a4d61b8a3c6e4d2907f15" }),
            _ => json!({}),
        }
    }
}

impl std::fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl PartialSchema for ErrorCode {
    fn schema() -> RefOr<Schema> {
        let object: Object = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("What went wrong, for programs."))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str())))
            .build();
        RefOr::T(Schema::Object(object))
    }
}

impl ToSchema for ErrorCode {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_and_its_text_are_one_value() {
        for &code in ErrorCode::ALL {
            assert_eq!(ErrorCode::parse(code.as_str()), Some(code));
            assert!(code.status().is_client_error() || code.status().is_server_error());
        }
        assert_eq!(ErrorCode::parse("device_not_found"), None);
    }
}
