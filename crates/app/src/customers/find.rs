//! Finding customers.

use weir_domain::{CustomerId, Refusal};
use weir_store::{CountedCustomer, Page, ReadTx, WriteTx};

use crate::AppResult;

/// The customer of that id.
pub fn find(tx: &mut dyn ReadTx, id: CustomerId) -> AppResult<CountedCustomer> {
    Ok(tx.customer_by_id(id)?.ok_or(Refusal::CustomerNotFound)?)
}

/// Customers by name ignoring case, and how many there are in all. `search` is a part of the name or
/// e-mail.
pub fn list(
    tx: &mut dyn ReadTx,
    search: Option<&str>,
    page: Page,
) -> AppResult<(Vec<CountedCustomer>, u64)> {
    Ok((tx.customers_page(search, page)?, tx.customers_count(search)?))
}

/// The customer of that id, which nobody else deletes or changes until the transaction ends.
pub(crate) fn hold(tx: &mut dyn WriteTx, id: CustomerId) -> AppResult<CountedCustomer> {
    // Counting its references keeps everyone away who would hold it, too.
    tx.customer_references(id)?;
    find(tx, id)
}
