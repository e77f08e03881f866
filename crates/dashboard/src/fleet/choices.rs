//! What the filter lets choose from.

use super::filter::{Filter, UNASSOCIATED};
use crate::choice::Offered;
use crate::text::fleet as text;

/// A field with a few values.
pub struct Choice {
    /// Its name.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Its values.
    pub options: Vec<Value>,
}

/// A value of a field.
pub struct Value {
    /// As it is sent.
    pub value: String,
    /// As it is read.
    pub text: String,
    /// Whether it is the one that was chosen.
    pub is_chosen: bool,
}

/// All fields of the filter with a few values.
pub fn choices(filter: &Filter, customers: &Offered) -> Vec<Choice> {
    let own = customers.choices.iter().map(|choice| (choice.id.clone(), choice.name.clone()));
    let none = (UNASSOCIATED.to_owned(), text::UNASSOCIATED.to_owned());
    let customers: Vec<(String, String)> = [none].into_iter().chain(own).collect();
    vec![
        fixed(
            ("status", text::STATUS, &filter.status),
            &[
                ("online", text::ONLINE),
                ("offline", text::OFFLINE),
                ("maintenance", text::IN_MAINTENANCE),
            ],
        ),
        choice(("customer", text::CUSTOMER, &filter.customer), customers),
        fixed(
            ("user", text::END_USER, &filter.user),
            &[("assigned", text::ASSIGNED), ("unassigned", text::UNASSIGNED)],
        ),
        fixed(
            ("is_principal", text::KIND, &filter.is_principal),
            &[("true", text::PRINCIPAL), ("false", text::SUB_METER)],
        ),
        fixed(
            ("first_seen", text::FIRST_SEEN, &filter.first_seen),
            &[("today", text::TODAY), ("week", text::WEEK), ("month", text::MONTH)],
        ),
    ]
}

type Field<'a> = (&'static str, &'static str, &'a str);

fn fixed(field: Field<'_>, values: &[(&str, &str)]) -> Choice {
    let owned = |&(value, text): &(&str, &str)| (value.to_owned(), text.to_owned());
    choice(field, values.iter().map(owned).collect())
}

fn choice((name, label, chosen): Field<'_>, values: Vec<(String, String)>) -> Choice {
    let any = (String::new(), text::ANY.to_owned());
    let options = [any].into_iter().chain(values).map(|(value, text)| Value {
        is_chosen: value == chosen,
        value,
        text,
    });
    Choice { name, label, options: options.collect() }
}
