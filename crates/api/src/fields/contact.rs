//! Readers of what customers and end users tell about themselves.

use serde_json::Value;
use weir_domain::contact;
use weir_domain::name::NotAName;
use weir_domain::{Calendar, Name};

use super::{Problems, json};
use crate::error::ErrorCode;

/// An e-mail address.
pub fn email(value: &Value) -> Result<String, Problems> {
    json::string(|text| contact::email(text).map_err(|error| error.to_string().into()))(value)
}

/// A phone number, however it is written.
pub fn phone(value: &Value) -> Result<String, Problems> {
    json::string(|text| contact::phone(text).map_err(|error| error.to_string().into()))(value)
}

/// A postal address.
pub fn address(value: &Value) -> Result<String, Problems> {
    json::string(|text| contact::address(text).map_err(|error| error.to_string().into()))(value)
}

/// The IANA name of a time zone, as IANA writes it. An unknown one fits its schema and makes no sense.
pub fn timezone(value: &Value) -> Result<String, Problems> {
    json::string(|text| match Calendar::parse(text) {
        Ok(calendar) => Ok(calendar.name().to_owned()),
        Err(error) => Err(Problems::one(ErrorCode::ValidationError, error.to_string())),
    })(value)
}

/// A name that replaces another: a blank one fits its schema and makes no sense.
pub fn new_name(value: &Value) -> Result<Name, Problems> {
    json::string(|text| {
        Name::parse(text).map_err(|error| match error {
            NotAName::Blank => Problems::one(ErrorCode::ValidationError, error.to_string()),
            _ => error.to_string().into(),
        })
    })(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::fields::Place;

    fn code<T>(read: Result<T, Problems>) -> Option<ErrorCode> {
        read.err().map(|problems| problems.into_error(Place::Body).code())
    }

    #[test]
    fn values_are_kept_as_they_are_written() {
        assert_eq!(email(&json!("Ada@Example.org")), Ok("Ada@Example.org".to_owned()));
        assert_eq!(phone(&json!("+31 (0)20 555 01 23")), Ok("+31 (0)20 555 01 23".to_owned()));
        assert_eq!(address(&json!("Quay 1\n1000 AA")), Ok("Quay 1\n1000 AA".to_owned()));
        assert_eq!(timezone(&json!("Europe/Lisbon")), Ok("Europe/Lisbon".to_owned()));
        assert_eq!(new_name(&json!(" Ada ")).unwrap().as_str(), "Ada");
    }

    #[test]
    fn what_does_not_fit_and_what_makes_no_sense_are_told_apart() {
        let schema = Some(ErrorCode::SchemaValidationError);
        assert_eq!(code(email(&json!("nobody"))), schema);
        assert_eq!(code(email(&json!(7))), schema);
        assert_eq!(code(phone(&json!("1".repeat(64)))), None);
        assert_eq!(code(phone(&json!("1".repeat(65)))), schema);
        assert_eq!(code(address(&json!("a".repeat(501)))), schema);
        assert_eq!(code(timezone(&json!(1))), schema);
        assert_eq!(code(timezone(&json!("Mars/Olympus"))), Some(ErrorCode::ValidationError));
        assert_eq!(code(new_name(&json!(" "))), Some(ErrorCode::ValidationError));
        assert_eq!(code(new_name(&json!("a".repeat(256)))), schema);
        assert_eq!(code(new_name(&json!(null))), schema);
    }
}
