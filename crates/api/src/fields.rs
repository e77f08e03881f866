//! Reading requests so that every offending field is named, not only the first.
//!
//! A request type reads itself from [`Fields`]: it asks for each field by name and says how the value
//! is read. What does not fit is noted, and reading goes on. So ask for all fields before the first
//! `?`:
//!
//! ```
//! use weir_api::body::{BodyFields, FromBody};
//! use weir_api::fields::json;
//! use weir_domain::{Eui, Name};
//!
//! struct Rename {
//!     dev_eui: Eui,
//!     name: Name,
//!     is_principal: bool,
//! }
//!
//! impl FromBody for Rename {
//!     fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
//!         let dev_eui = fields.required("dev_eui", json::eui);
//!         let name = fields.required("name", json::name);
//!         let is_principal = fields.optional("is_principal", json::boolean);
//!         Some(Self { dev_eui: dev_eui?, name: name?, is_principal: is_principal.unwrap_or(false) })
//!     }
//! }
//! ```
//!
//! Readers of single values are plain functions: [`text`] for what arrives as text (queries, and
//! strings in bodies), [`json`] for values of a body. A value that fits its schema and still makes no
//! sense is refused with another code by [`text::refused_as`]; where a request has problems of both
//! kinds, those with the schema win.

pub mod contact;
pub mod json;
mod problem;
pub mod text;

pub use problem::{Place, Problem, Problems, Step};

use crate::error::ErrorCode;

/// Where fields come from.
pub trait Source {
    /// What is found under a name.
    type Item: ?Sized;

    /// The value of that name.
    fn item(&self, name: &str) -> Option<&Self::Item>;
}

/// The fields of an object or a query, and what is wrong with them.
pub struct Fields<'a, S> {
    source: &'a S,
    problems: Problems,
}

impl<'a, S: Source> Fields<'a, S> {
    /// Reads all of a source by a function, and says everything that is wrong with it.
    pub fn read<T>(
        source: &'a S,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Result<T, Problems> {
        let mut fields = Self { source, problems: Problems::default() };
        let outcome = read(&mut fields);
        match outcome {
            Some(value) if fields.problems.is_empty() => Ok(value),
            _ if fields.problems.is_empty() => Err("does not fit its schema".into()),
            _ => Err(fields.problems),
        }
    }

    /// Whether a field is there.
    pub fn has(&self, name: &str) -> bool {
        self.source.item(name).is_some()
    }

    /// A field that has to be there. `None` means that a problem was noted.
    pub fn required<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&S::Item) -> Result<T, Problems>,
    ) -> Option<T> {
        if !self.has(name) {
            self.refuse(name, "is required");
        }
        self.optional(name, read)
    }

    /// A field that may be absent. `None` means that it is, or that a problem was noted.
    pub fn optional<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&S::Item) -> Result<T, Problems>,
    ) -> Option<T> {
        match read(self.source.item(name)?) {
            Ok(value) => Some(value),
            Err(problems) => {
                self.problems.extend(problems.below(name));
                None
            }
        }
    }

    /// Notes that there is nothing to do where none of these fields is there.
    pub fn require_any(&mut self, names: &[&str]) {
        if !names.iter().any(|name| self.has(name)) {
            let message = format!("must have at least one of {}", names.join(", "));
            self.problems.extend(Problems::one(ErrorCode::ValidationError, message));
        }
    }

    /// Notes that a field does not fit its schema, where that shows only beside others.
    pub fn refuse(&mut self, name: &str, message: impl Into<String>) {
        self.refuse_as(ErrorCode::SchemaValidationError, name, message);
    }

    /// Notes that a field is to be refused with that code.
    pub fn refuse_as(&mut self, code: ErrorCode, name: &str, message: impl Into<String>) {
        self.problems.extend(Problems::one(code, message).below(name));
    }
}
