//! What is wrong with a request, and where.

use serde::Serialize;
use serde_json::json;

use crate::error::{ApiError, ErrorCode};

/// The part of a request that a problem lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Its body.
    Body,
    /// Its query string.
    Query,
    /// Its path.
    Path,
}

/// One step on the way to a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// Into a field.
    Field(String),
    /// To an element of a list.
    Element(usize),
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    code: ErrorCode,
    way: Vec<Step>,
    message: String,
}

/// All that is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// A single problem with a value itself.
    pub fn one(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(vec![Problem { code, way: Vec::new(), message: message.into() }])
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds others.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// The same problems, seen from the object that has the value as this field.
    #[must_use]
    pub fn below(self, field: &str) -> Self {
        self.one_step_down(&Step::Field(field.to_owned()))
    }

    /// The same problems, seen from the list that has the value as this element.
    #[must_use]
    pub fn at(self, index: usize) -> Self {
        self.one_step_down(&Step::Element(index))
    }

    fn one_step_down(mut self, step: &Step) -> Self {
        for problem in &mut self.0 {
            problem.way.insert(0, step.clone());
        }
        self
    }

    /// The same problems under another code.
    #[must_use]
    pub fn refused_as(mut self, code: ErrorCode) -> Self {
        for problem in &mut self.0 {
            problem.code = code;
        }
        self
    }

    /// The error for them. One answer has one code, so problems with the schema come first, and else
    /// those that share the code of the first.
    pub fn into_error(self, place: Place) -> ApiError {
        let schema = ErrorCode::SchemaValidationError;
        let is_schema = self.0.iter().any(|problem| problem.code == schema);
        let code = match self.0.first() {
            Some(first) if !is_schema => first.code,
            _ => schema,
        };
        let told = || self.0.iter().filter(|problem| problem.code == code);
        let sentences: Vec<String> = told().map(|problem| problem.sentence(place)).collect();
        let message = match (is_schema, sentences.as_slice()) {
            (true, [only]) => format!("The request does not fit its schema: {only}."),
            (true, [first, rest @ ..]) => {
                format!("The request does not fit its schema: {first}, and {} more.", rest.len())
            }
            (false, [first, ..]) => format!("The request makes no sense: {first}."),
            (_, []) => "The request does not fit its schema.".to_owned(),
        };
        let errors: Vec<_> = told().map(|problem| problem.shown(place)).collect();
        ApiError::new(code, message).with_detail("errors", errors)
    }
}

impl Problem {
    fn sentence(&self, place: Place) -> String {
        let mut text = match place {
            Place::Body => "body",
            Place::Query => "query",
            Place::Path => "path",
        }
        .to_owned();
        for step in &self.way {
            match step {
                Step::Field(name) => text.extend([".", name]),
                Step::Element(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text + " " + &self.message
    }

    fn shown(&self, place: Place) -> serde_json::Value {
        let mut loc = vec![json!(place)];
        loc.extend(self.way.iter().map(|step| json!(step)));
        json!({ "loc": loc, "message": self.message })
    }
}

impl From<&str> for Problems {
    fn from(message: &str) -> Self {
        Self::one(ErrorCode::SchemaValidationError, message)
    }
}

impl From<String> for Problems {
    fn from(message: String) -> Self {
        Self::one(ErrorCode::SchemaValidationError, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_value_is_told() {
        let problems = Problems::from("must be a UUID").at(3).below("device_ids");
        let error = problems.into_error(Place::Body);
        assert_eq!(error.code(), ErrorCode::SchemaValidationError);
        assert_eq!(
            error.message(),
            "The request does not fit its schema: body.device_ids[3] must be a UUID."
        );
        assert_eq!(
            error.details()["errors"],
            json!([{ "loc": ["body", "device_ids", 3], "message": "must be a UUID" }])
        );
    }

    #[test]
    fn problems_with_the_schema_come_first() {
        let mut problems = Problems::one(ErrorCode::InvalidStatus, "must be auto").below("status");
        problems.extend(Problems::from("must be a boolean").below("is_active"));
        problems.extend(Problems::from("is required").below("name"));
        let error = problems.into_error(Place::Body);
        assert_eq!(error.code(), ErrorCode::SchemaValidationError);
        assert_eq!(error.details()["errors"].as_array().unwrap().len(), 2);
        assert!(error.message().ends_with("body.is_active must be a boolean, and 1 more."));
    }

    #[test]
    fn without_them_the_first_code_is_told() {
        let mut problems = Problems::one(ErrorCode::InvalidStatus, "must be auto").below("status");
        problems.extend(Problems::one(ErrorCode::ValidationError, "is odd").below("name"));
        let error = problems.into_error(Place::Query);
        assert_eq!(error.code(), ErrorCode::InvalidStatus);
        assert_eq!(
            error.details()["errors"],
            json!([{ "loc": ["query", "status"], "message": "must be auto" }])
        );
    }
}
