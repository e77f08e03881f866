//! Locks that devices are stored under.
//!
//! The effective customer of a device follows from the device and its end user, which others may be
//! changing at the same time. Whoever changes an end user's customer gives it to the devices that it
//! can see; so whoever assigns a device keeps the end user as it is until the assignment can be seen.

use std::collections::BTreeSet;

use uuid::Uuid;
use weir_domain::{Device, EndUserId};
use weir_store::StoreResult;

use crate::fleet::{Kind, kind_columns};
use crate::row::Columns;
use crate::tx::Tx;

/// Locks devices that are about to be stored, takes them out of the counts, and locks the end users
/// that they are newly assigned to.
pub(super) fn hold_to_store(tx: &mut Tx<'_>, devices: &[Device]) -> StoreResult<()> {
    let reseller = tx.reseller()?;
    let ids: Vec<Uuid> = devices.iter().map(|device| device.id.uuid()).collect();
    let end_users: Vec<_> =
        devices.iter().map(|device| device.end_user.map(EndUserId::uuid)).collect();
    let sql = concat!(
        "SELECT ",
        kind_columns!(),
        ", CASE WHEN d.end_user_id IS DISTINCT FROM s.end_user_id THEN s.end_user_id END \
         FROM unnest($2::uuid[], $3::uuid[]) AS s (id, end_user_id) \
         JOIN device d ON d.reseller_id = $1 AND d.id = s.id \
         ORDER BY d.key FOR NO KEY UPDATE OF d"
    );
    let rows = tx.rows(sql, &[&reseller, &ids, &end_users])?;
    tx.holds_devices = true;
    let mut assigned = BTreeSet::new();
    for row in &rows {
        let mut columns = Columns::of(row);
        tx.fleet.lose(Kind::take(&mut columns)?);
        assigned.extend(columns.take::<Option<Uuid>>()?);
    }
    if assigned.is_empty() {
        return Ok(());
    }
    let assigned: Vec<Uuid> = assigned.into_iter().collect();
    let sql = "SELECT 1 FROM end_user WHERE reseller_id = $1 AND id = ANY($2)
        ORDER BY id FOR SHARE";
    tx.rows(sql, &[&reseller, &assigned])?;
    Ok(())
}
