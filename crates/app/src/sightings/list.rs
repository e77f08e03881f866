//! Listing what is remembered.

use weir_domain::{CustomerId, Eui};
use weir_store::{Page, ReadTx, Sighting};

use crate::{AppResult, customers};

/// What is remembered, last seen first, and how many EUIs there are in all.
pub fn list(tx: &mut dyn ReadTx, page: Page) -> AppResult<(Vec<Sighting>, u64)> {
    Ok((tx.sightings_page(page)?, tx.sightings_count()?))
}

/// Every EUI that is remembered and could be registered for a customer, last seen first. Refused
/// where there is no such customer.
pub fn remembered(tx: &mut dyn ReadTx, customer: CustomerId) -> AppResult<Vec<Eui>> {
    customers::find(tx, customer)?;
    let all = Page { limit: u32::MAX, offset: 0 };
    Ok(tx.sightings_page(all)?.iter().map(|sighting| sighting.dev_eui).collect())
}
