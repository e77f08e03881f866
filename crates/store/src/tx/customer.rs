//! Customers.

use weir_domain::{Customer, CustomerId};

use crate::{Page, StoreResult};

/// A customer with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedCustomer {
    /// The customer.
    pub customer: Customer,
    /// How many live devices have it as their effective customer.
    pub devices: u64,
    /// How many end users belong to it.
    pub end_users: u64,
}

/// Reads customers of the transaction's reseller.
pub trait CustomerReads {
    /// The customer of that id.
    fn customer_by_id(&mut self, id: CustomerId) -> StoreResult<Option<CountedCustomer>>;

    /// The customers that go by these names, ignoring case; in any order. Several may go by one.
    fn customers_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<CountedCustomer>>;

    /// Customers by name ignoring case, ties by id. `search` is a part of the name or e-mail,
    /// ignoring case; `%` and `_` are plain characters.
    fn customers_page(
        &mut self,
        search: Option<&str>,
        page: Page,
    ) -> StoreResult<Vec<CountedCustomer>>;

    /// How many there are.
    fn customers_count(&mut self, search: Option<&str>) -> StoreResult<u64>;
}

/// Changes customers of the transaction's reseller.
pub trait CustomerWrites {
    /// Inserts a customer.
    fn customer_insert(&mut self, customer: &Customer) -> StoreResult<()>;

    /// Stores all fields of a customer but its id and creation time; whether it was there.
    fn customer_update(&mut self, customer: &Customer) -> StoreResult<bool>;

    /// How many devices, soft-deleted ones too, name it as their own customer, and how many end users
    /// belong to it. Nobody else adds one until the transaction ends.
    fn customer_references(&mut self, id: CustomerId) -> StoreResult<(u64, u64)>;

    /// Deletes a customer that nothing refers to; whether it was there.
    fn customer_delete(&mut self, id: CustomerId) -> StoreResult<bool>;
}
