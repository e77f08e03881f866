//! Finding end users.

use weir_domain::{EndUserId, Refusal};
use weir_store::{CountedEndUser, EndUserFilter, Page, ReadTx, WriteTx};

use crate::AppResult;

/// The end user of that id.
pub fn find(tx: &mut dyn ReadTx, id: EndUserId) -> AppResult<CountedEndUser> {
    Ok(tx.end_user_by_id(id)?.ok_or(Refusal::UserNotFound)?)
}

/// End users by name ignoring case, and how many there are in all.
pub fn list(
    tx: &mut dyn ReadTx,
    filter: &EndUserFilter,
    page: Page,
) -> AppResult<(Vec<CountedEndUser>, u64)> {
    Ok((tx.end_users_page(filter, page)?, tx.end_users_count(filter)?))
}

/// The end user of that id, whom nobody else deletes or changes until the transaction ends.
pub(crate) fn hold(tx: &mut dyn WriteTx, id: EndUserId) -> AppResult<CountedEndUser> {
    // Counting the references keeps everyone away who would hold them, too.
    tx.end_user_references(id)?;
    find(tx, id)
}
