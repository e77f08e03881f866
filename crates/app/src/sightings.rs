//! Uplinks of EUIs that are not registered.

use weir_store::{Page, ReadTx, Sighting};

use crate::AppResult;

/// What is remembered, last seen first, and how many EUIs there are in all.
pub fn list(tx: &mut dyn ReadTx, page: Page) -> AppResult<(Vec<Sighting>, u64)> {
    Ok((tx.sightings_page(page)?, tx.sightings_count()?))
}
