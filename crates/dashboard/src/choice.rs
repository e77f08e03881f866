//! Customers to choose from.

use weir_domain::{Customer, CustomerId};

/// A customer in a list to choose from.
pub struct Choice {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is chosen.
    pub is_chosen: bool,
}

impl Choice {
    /// All of them, with the chosen one marked.
    pub fn among(customers: &[Customer], chosen: Option<CustomerId>) -> Vec<Self> {
        let choice = |customer: &Customer| Self {
            id: customer.id.to_string(),
            name: customer.name.to_string(),
            is_chosen: Some(customer.id) == chosen,
        };
        customers.iter().map(choice).collect()
    }
}
