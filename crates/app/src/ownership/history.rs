//! The ownership history of a device.

use std::collections::{BTreeSet, HashMap};

use weir_domain::{EndUser, EndUserId, OwnershipRecord};
use weir_store::ReadTx;

use crate::AppResult;
use crate::devices::{DeviceRef, find_even_deleted};

/// Who a device belonged to.
#[derive(Debug, Clone)]
pub struct History {
    /// The changes of its end user, newest first.
    pub records: Vec<OwnershipRecord>,
    /// The end users that they name and that still exist, where they were asked for.
    pub end_users: Option<HashMap<EndUserId, EndUser>>,
}

/// The ownership history of a device, soft-deleted or not, with the end users that it names where
/// that is wanted. Refused where there is no such device.
pub fn history(
    tx: &mut dyn ReadTx,
    device: DeviceRef,
    include_details: bool,
) -> AppResult<History> {
    let device = find_even_deleted(tx, device)?;
    let records = tx.ownership_by_device(device.id)?;
    if !include_details {
        return Ok(History { records, end_users: None });
    }
    let named: BTreeSet<EndUserId> =
        records.iter().flat_map(|record| [record.previous, record.new]).flatten().collect();
    let end_users = tx.end_users_by_ids(&named.into_iter().collect::<Vec<_>>())?;
    let end_users = end_users.into_iter().map(|end_user| (end_user.id, end_user)).collect();
    Ok(History { records, end_users: Some(end_users) })
}
