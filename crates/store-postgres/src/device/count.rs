//! What is known of devices from their kept counts.

use weir_domain::{Status, Timestamp};
use weir_store::{CustomerFilter, DeviceFilter, DeviceStats, StoreResult};

use super::filter;
use crate::fleet::Whose;
use crate::row::{self, Columns};
use crate::tx::Tx;

/// All devices, those without a customer and those without an end user.
macro_rules! sum_stats {
    ($conditions:literal) => {
        concat!(
            "SELECT coalesce(sum(devices), 0)::bigint,
                coalesce(sum(devices) FILTER
                    (WHERE customer_id = '00000000-0000-0000-0000-000000000000'), 0)::bigint,
                coalesce(sum(devices) FILTER (WHERE NOT is_assigned), 0)::bigint
            FROM fleet_count WHERE reseller_id = $1",
            $conditions
        )
    };
}

/// How many devices a filter means; none where the counts do not tell. Those of a status are told by
/// counting the ones that are not online: of these there are fewer.
pub(super) fn counted(tx: &mut Tx<'_>, filter: &DeviceFilter) -> StoreResult<Option<u64>> {
    let Some((status, moment)) = filter.status else { return counted_by_kind(tx, filter) };
    let of_any = DeviceFilter { status: None, ..filter.clone() };
    let Some(all) = counted_by_kind(tx, &of_any)? else { return Ok(None) };
    let mut conditions = filter::meant(tx.reseller()?, &of_any);
    let sql = filter::count_by_status(&mut conditions, moment);
    let rows = tx.rows_where(&sql, &conditions)?;
    let Some(row) = rows.first() else { return Ok(None) };
    let mut columns = Columns::of(row);
    let (maintenance, offline) = (columns.count()?, columns.count()?);
    Ok(Some(match status {
        Status::Maintenance => maintenance,
        Status::Offline => offline,
        Status::Online => all.saturating_sub(maintenance + offline),
    }))
}

fn counted_by_kind(tx: &mut Tx<'_>, filter: &DeviceFilter) -> StoreResult<Option<u64>> {
    let DeviceFilter {
        is_principal,
        customers,
        is_assigned,
        first_seen_since: None,
        search: None,
        status: None,
    } = filter
    else {
        return Ok(None);
    };
    let reseller = tx.reseller()?;
    let (are_assigned, are_principal) = (sides(*is_assigned), sides(*is_principal));
    tx.fleet_store()?;
    let row = match Whose::meant(customers) {
        Whose::All => {
            let sql = "SELECT coalesce(sum(devices), 0)::bigint FROM fleet_count
                WHERE reseller_id = $1 AND is_assigned = ANY($2) AND is_principal = ANY($3)";
            tx.row(sql, &[&reseller, &are_assigned, &are_principal])?
        }
        Whose::One(customer) => {
            let sql = "SELECT coalesce(sum(devices), 0)::bigint FROM fleet_count
                WHERE reseller_id = $1 AND is_assigned = ANY($2) AND is_principal = ANY($3)
                  AND customer_id = $4";
            tx.row(sql, &[&reseller, &are_assigned, &are_principal, &customer])?
        }
        Whose::Nobody => None,
    };
    row::count(row.as_ref()).map(Some)
}

/// The values that a flag may have.
fn sides(wanted: Option<bool>) -> Vec<bool> {
    wanted.map_or_else(|| vec![false, true], |wanted| vec![wanted])
}

/// Counts of the live devices of these customers.
pub(super) fn stats(
    tx: &mut Tx<'_>,
    customers: &[CustomerFilter],
    new_since: Timestamp,
) -> StoreResult<DeviceStats> {
    let reseller = tx.reseller()?;
    let since = new_since.micros();
    tx.fleet_store()?;
    let [counts, new] = match Whose::meant(customers) {
        Whose::All => {
            let counts = sum_stats!("");
            let new = "SELECT count(*) FROM device
                WHERE reseller_id = $1 AND deleted_at IS NULL AND first_seen_at >= $2";
            tx.rows_of_both([(counts, &[&reseller]), (new, &[&reseller, &since])])?
        }
        Whose::One(customer) => {
            let counts = sum_stats!(" AND customer_id = $2");
            let new = "SELECT count(*) FROM device
                WHERE reseller_id = $1 AND deleted_at IS NULL AND first_seen_at >= $2
                  AND effective_customer_id IS NOT DISTINCT FROM $3";
            let effective = (!customer.is_nil()).then_some(customer);
            tx.rows_of_both([
                (counts, &[&reseller, &customer]),
                (new, &[&reseller, &since, &effective]),
            ])?
        }
        Whose::Nobody => return Ok(DeviceStats::default()),
    };
    let Some(counts) = counts.first() else { return Ok(DeviceStats::default()) };
    let mut columns = Columns::of(counts);
    Ok(DeviceStats {
        total: columns.count()?,
        new: row::count(new.first())?,
        unassociated: columns.count()?,
        unassigned: columns.count()?,
    })
}

/// How many devices are live and active.
pub(super) fn billed(tx: &mut Tx<'_>) -> StoreResult<u64> {
    let reseller = tx.reseller()?;
    tx.fleet_store()?;
    let sql = "SELECT coalesce(sum(devices), 0)::bigint FROM fleet_count
        WHERE reseller_id = $1 AND is_active";
    row::count(tx.row(sql, &[&reseller])?.as_ref())
}
