//! What is wrong with a form, told beside its fields.

use std::fmt::Display;

use weir_domain::Refusal;

/// What is wrong with a form: with which field, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complaints(Vec<(String, String)>);

impl Complaints {
    /// What a rule has against it.
    pub fn of(refusal: &Refusal) -> Self {
        let mut complaints = Self::default();
        match refusal {
            Refusal::Invalid { field, reason } => complaints.add(field, reason),
            other => complaints.add("", other),
        }
        complaints
    }

    /// One more, about a field; about the form as a whole where that is empty.
    pub fn add(&mut self, field: &str, reason: impl Display) {
        self.0.push((field.to_owned(), reason.to_string()));
    }

    /// What was read of a field, or a complaint about it.
    pub fn read<T, E: Display>(&mut self, field: &str, read: Result<T, E>) -> Option<T> {
        read.map_err(|reason| self.add(field, reason)).ok()
    }

    /// What was read of a field that may be left empty, or a complaint about it.
    pub fn read_optional<T, E: Display>(
        &mut self,
        field: &str,
        text: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Option<T> {
        if text.is_empty() { None } else { self.read(field, read(text)) }
    }

    /// What is wrong with a field; empty where nothing is.
    pub fn about(&self, field: &str) -> &str {
        let found = self.0.iter().find(|complaint| complaint.0 == field);
        found.map_or("", |complaint| complaint.1.as_str())
    }

    /// What is wrong with the form as a whole; empty where nothing is.
    pub fn about_all(&self) -> &str {
        self.about("")
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_stands_beside_the_field_that_it_names() {
        let reason = "must not be blank".to_owned();
        let complaints = Complaints::of(&Refusal::Invalid { field: "name", reason });
        assert_eq!((complaints.about("name"), complaints.about_all()), ("must not be blank", ""));
        let complaints = Complaints::of(&Refusal::HierarchyTooDeep);
        assert_eq!(complaints.about_all(), Refusal::HierarchyTooDeep.to_string());
    }

    #[test]
    fn what_is_read_is_no_complaint() {
        let mut complaints = Complaints::default();
        assert_eq!(complaints.read("age", "7".parse::<u8>()), Some(7));
        assert!(complaints.is_empty());
        assert_eq!(complaints.read("age", "x".parse::<u8>()), None);
        assert!(!complaints.about("age").is_empty());
    }

    #[test]
    fn what_may_be_left_empty_is_read_where_it_is_not() {
        let mut complaints = Complaints::default();
        assert_eq!(complaints.read_optional("age", "", str::parse::<u8>), None);
        assert_eq!(complaints.read_optional("age", "7", str::parse::<u8>), Some(7));
        assert!(complaints.is_empty());
        assert_eq!(complaints.read_optional("age", "x", str::parse::<u8>), None);
        assert!(!complaints.is_empty());
    }
}
