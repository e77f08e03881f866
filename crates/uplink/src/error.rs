//! What is wrong with a body, for the caller who sent it.

use std::fmt;

use serde::Serialize;

/// A field that is not what it must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldError {
    /// Where it is, from the body inwards: `["body", "deviceInfo", "devEui"]`.
    pub loc: Vec<Step>,
    /// What was expected, and what came.
    pub message: String,
}

/// One step of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Step {
    /// Into a member of an object.
    Key(&'static str),
    /// Into an element of an array.
    Index(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Index(index) => write!(f, "{index}"),
        }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, step) in self.loc.iter().enumerate() {
            let dot = if depth == 0 { "" } else { "." };
            write!(f, "{dot}{step}")?;
        }
        write!(f, " {}", self.message)
    }
}

/// A body that nothing can be said about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Not UTF-8, not JSON, or JSON that is no object.
    #[error("{0}")]
    NotAnObject(FieldError),
    /// An object that has the keys of no format.
    #[error("The payload has the keys of no known format.")]
    UnknownFormat {
        /// Its top-level keys, in the order in which they came.
        provided_keys: Vec<String>,
    },
}

/// An uplink that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// The EUI is a string that is none; told before, and instead of, what else is wrong.
    #[error("{0}")]
    InvalidEui(FieldError),
    /// Every field that is missing, of the wrong type or out of range; at least one.
    #[error("{}", .0.iter().map(FieldError::to_string).collect::<Vec<_>>().join("; "))]
    Fields(Vec<FieldError>),
}
