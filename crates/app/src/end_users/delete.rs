//! Deleting an end user.

use weir_domain::{EndUserId, Refusal};
use weir_store::WriteTx;

use crate::AppResult;

/// Deletes an end user; the ownership records that name it stay. Refused where there is none of that
/// id, and while devices (soft-deleted ones too) are assigned to it.
pub fn delete(tx: &mut dyn WriteTx, id: EndUserId) -> AppResult<()> {
    let devices = tx.end_user_references(id)?;
    if devices > 0 {
        let what = "The end user";
        return Err(Refusal::StillReferred { what, devices, end_users: 0 }.into());
    }
    match tx.end_user_delete(id)? {
        true => Ok(()),
        false => Err(Refusal::UserNotFound.into()),
    }
}
