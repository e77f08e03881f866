//! Customers to choose from.

use weir_app::{AppResult, customers};
use weir_domain::{Customer, CustomerId};
use weir_store::{Page, ReadTx};

use crate::format;
use crate::text::lists as text;

/// How many are offered at most, so that a page stays small.
const MOST: u32 = 200;
/// How many characters of a name a list shows.
const SHOWN: usize = 40;

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
            name: format::cut(customer.name.as_str(), SHOWN),
            is_chosen: Some(customer.id) == chosen,
        };
        customers.iter().map(choice).collect()
    }
}

/// The customers that a list offers.
pub struct Offered {
    /// They, with the one that is chosen.
    pub choices: Vec<Choice>,
    /// How many there are beside them.
    pub others: u64,
}

impl Offered {
    /// The first ones by name, and the one that is chosen wherever it stands.
    pub fn load(tx: &mut dyn ReadTx, chosen: Option<CustomerId>) -> AppResult<Self> {
        let (found, total) = customers::list(tx, None, Page { limit: MOST, offset: 0 })?;
        let mut offered: Vec<Customer> = found.into_iter().map(|found| found.customer).collect();
        if let Some(id) = chosen
            && offered.iter().all(|customer| customer.id != id)
            && let Some(found) = tx.customer_by_id(id)?
        {
            offered.push(found.customer);
        }
        let others = total.saturating_sub(offered.len() as u64);
        Ok(Self { choices: Choice::among(&offered, chosen), others })
    }

    /// How many are not offered, in words; none where all are.
    pub fn others_text(&self) -> Option<String> {
        (self.others > 0).then(|| text::other_customers(self.others))
    }
}
