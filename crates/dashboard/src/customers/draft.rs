//! What is typed about a customer.

use weir_app::customers::{CustomerChange, NewCustomer};
use weir_domain::{Calendar, Customer, Name, contact};

use crate::forms::{Complaints, Fields};

/// The form of a customer: what stands in its fields, and what is wrong with that.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    /// Its name.
    pub name: String,
    /// Where to write to.
    pub email: String,
    /// Where to call.
    pub phone: String,
    /// Where it is.
    pub address: String,
    /// The IANA name of its time zone.
    pub timezone: String,
    /// What is wrong.
    pub complaints: Complaints,
}

impl Draft {
    /// A customer as it is.
    pub fn of(customer: &Customer) -> Self {
        let text = |field: &Option<String>| field.clone().unwrap_or_default();
        Self {
            name: customer.name.to_string(),
            email: text(&customer.email),
            phone: text(&customer.phone),
            address: text(&customer.address),
            timezone: text(&customer.timezone),
            complaints: Complaints::default(),
        }
    }

    /// What somebody typed.
    pub fn typed(fields: &Fields) -> Self {
        let text = |name: &str| fields.filled(name).unwrap_or_default().to_owned();
        Self {
            name: text("name"),
            email: text("email"),
            phone: text("phone"),
            address: text("address"),
            timezone: text("timezone"),
            complaints: Complaints::default(),
        }
    }

    /// The customer that it describes, or what is wrong with every field.
    pub fn read(&mut self) -> Option<NewCustomer> {
        let Self { name, email, phone, address, timezone, complaints } = self;
        let zone = |text: &str| Calendar::parse(text).map(|calendar| calendar.name().to_owned());
        let name = complaints.read("name", Name::parse(name));
        let email = complaints.read_optional("email", email, contact::email);
        let phone = complaints.read_optional("phone", phone, contact::phone);
        let address = complaints.read_optional("address", address, contact::address);
        let timezone = complaints.read_optional("timezone", timezone, zone);
        let read = NewCustomer { name: name?, email, phone, address, timezone };
        complaints.is_empty().then_some(read)
    }
}

/// What changes a customer into what was typed: every field, the empty ones too.
pub fn change_into(new: NewCustomer) -> CustomerChange {
    CustomerChange {
        name: Some(new.name),
        email: Some(new.email),
        phone: Some(new.phone),
        address: Some(new.address),
        timezone: Some(new.timezone),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_empty_is_not_there() {
        let mut draft = Draft::typed(&Fields::parse(b"name=+Quay+&email=&timezone=europe/lisbon"));
        let read = draft.read().unwrap();
        assert_eq!((read.name.as_str(), read.email), ("Quay", None));
        assert_eq!(read.timezone.as_deref(), Some("Europe/Lisbon"));
    }

    #[test]
    fn every_field_that_makes_no_sense_is_told() {
        let mut draft = Draft::typed(&Fields::parse(b"name=&email=ada&timezone=Mars&phone=1"));
        assert!(draft.read().is_none());
        for field in ["name", "email", "timezone"] {
            assert!(draft.complaints.about(field).starts_with("must"), "{field}");
        }
        assert_eq!(draft.complaints.about("phone"), "");
        assert_eq!(draft.email, "ada");
    }
}
