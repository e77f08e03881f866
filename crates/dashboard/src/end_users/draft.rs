//! What is typed about an end user.

use weir_app::end_users::{EndUserChange, NewEndUser};
use weir_domain::{CustomerId, EndUser, Name, Refusal, contact};

use crate::customers;
use crate::forms::{Complaints, Fields};

/// The form of an end user: what stands in its fields, and what is wrong with that.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// Their name.
    pub name: String,
    /// Where to write to.
    pub email: String,
    /// The customer they belong to.
    pub customer: Option<CustomerId>,
    /// What is wrong.
    pub complaints: Complaints,
}

impl Draft {
    /// An end user as they are.
    pub fn of(end_user: &EndUser) -> Self {
        Self {
            name: end_user.name.to_string(),
            email: end_user.email.clone().unwrap_or_default(),
            customer: end_user.customer,
            complaints: Complaints::default(),
        }
    }

    /// What somebody typed.
    pub fn typed(fields: &Fields) -> Self {
        let text = |name: &str| fields.filled(name).unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            email: text("email"),
            customer: customers::chosen(fields),
            complaints: Complaints::default(),
        }
    }

    /// The end user that it describes, or what is wrong with every field.
    pub fn read(&mut self) -> Option<NewEndUser> {
        let name = self.complaints.read("name", Name::parse(&self.name));
        let email = self.complaints.read_optional("email", &self.email, contact::email);
        let read = NewEndUser { name: name?, email, customer: self.customer };
        self.complaints.is_empty().then_some(read)
    }

    /// The same, with what a rule has against it.
    pub fn refused(mut self, refusal: &Refusal) -> Self {
        match refusal {
            Refusal::CustomerNotFound => self.complaints.add("customer", refusal),
            refusal => self.complaints = Complaints::of(refusal),
        }
        self
    }
}

/// What changes an end user into what was typed: every field, the empty ones too.
pub fn change_into(new: NewEndUser) -> EndUserChange {
    let NewEndUser { name, email, customer } = new;
    EndUserChange { name: Some(name), email: Some(email), customer: Some(customer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_told_beside_its_field() {
        let mut draft = Draft::typed(&Fields::parse(b"name=&email=ada&customer=none"));
        assert!(draft.read().is_none());
        assert_eq!(draft.complaints.about("name"), "must not be blank");
        assert_eq!(draft.complaints.about("email"), "must be an e-mail address");
        let draft = Draft::default().refused(&Refusal::CustomerNotFound);
        assert_eq!(draft.complaints.about("customer"), "No such customer.");
    }
}
