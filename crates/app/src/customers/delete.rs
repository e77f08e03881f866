//! Deleting a customer.

use weir_domain::{CustomerId, Refusal};
use weir_store::WriteTx;

use crate::AppResult;

/// Deletes a customer. Refused where there is none of that id, and while devices (soft-deleted ones
/// too) or end users refer to it.
pub fn delete(tx: &mut dyn WriteTx, id: CustomerId) -> AppResult<()> {
    let (devices, end_users) = tx.customer_references(id)?;
    if devices > 0 || end_users > 0 {
        return Err(Refusal::StillReferred { what: "The customer", devices, end_users }.into());
    }
    match tx.customer_delete(id)? {
        true => Ok(()),
        false => Err(Refusal::CustomerNotFound.into()),
    }
}
