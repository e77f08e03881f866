//! Conditions that are put together as they are asked for.
//!
//! Such statements come in many shapes and are not kept prepared: the server plans each for the values
//! that it is given, which is what lets it choose among the indexes.

use std::fmt::Write as _;

use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;
use weir_domain::name::fold;

use crate::session::TypedParams;

/// A text as [`fold`] folds it, as an expression. ICU folds as Unicode has it wherever the database
/// is; without a collation, `lower` would follow the locale that the database happens to have. It takes
/// its time, and most texts are plain ones.
macro_rules! folded {
    ($text:expr) => {
        concat!(
            "CASE WHEN octet_length(",
            $text,
            ") = char_length(",
            $text,
            ") THEN lower(",
            $text,
            " COLLATE \"C\") ELSE translate(lower(",
            $text,
            " COLLATE \"und-x-icu\"), 'ς', 'σ') COLLATE \"C\" END"
        )
    };
}
pub(crate) use folded;

/// Names as [`fold`] folds them. PostgreSQL's text cannot hold the character zero, so nothing is called
/// by a name with one.
pub(crate) fn folded_names(names: &[&str]) -> Vec<String> {
    names.iter().filter(|name| !name.contains('\0')).map(|name| fold(name)).collect()
}

/// Conditions that all have to hold, with the values in them. The first value is the reseller.
pub(crate) struct Conditions<'f> {
    sql: String,
    values: Vec<(Box<dyn ToSql + Sync + 'f>, Type)>,
}

impl<'f> Conditions<'f> {
    /// Begins with a condition on the reseller, which is `$1`.
    pub(crate) fn of(reseller: Uuid, first: &str) -> Self {
        Self { sql: first.to_owned(), values: vec![(Box::new(reseller), Type::UUID)] }
    }

    /// Adds a condition.
    pub(crate) fn hold(&mut self, condition: &str) {
        let _ = write!(self.sql, " AND ({condition})");
    }

    /// Adds a value and returns what stands for it in conditions.
    pub(crate) fn bind(&mut self, value: impl ToSql + Sync + 'f, kind: Type) -> String {
        self.values.push((Box::new(value), kind));
        format!("${}", self.values.len())
    }

    /// Adds that one of these texts contains a part, without regard to case. The texts are expressions
    /// that are folded already.
    pub(crate) fn search(&mut self, part: &'f str, texts: &[&str]) {
        // PostgreSQL's text cannot hold this character, so nothing contains it.
        if part.contains('\0') {
            return self.hold("false");
        }
        let part = self.bind(fold(part), Type::TEXT);
        let any = texts.iter().map(|text| format!("position({part} IN ({text})) > 0"));
        self.hold(&any.collect::<Vec<_>>().join(" OR "));
    }

    /// The conditions.
    pub(crate) fn sql(&self) -> &str {
        &self.sql
    }

    /// The values in them.
    pub(crate) fn values(&self) -> TypedParams<'_> {
        let values = self.values.iter();
        values.map(|(value, kind)| (&**value as &(dyn ToSql + Sync), kind.clone())).collect()
    }
}
