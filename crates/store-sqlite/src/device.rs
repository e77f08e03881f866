//! Devices.

pub(crate) mod filter;
pub(crate) mod indexed;
mod order;
pub(crate) mod select;
mod tree;
mod write;

use std::collections::HashSet;

use weir_domain::{Device, DeviceId, Eui, Timestamp};
use weir_store::{
    CustomerFilter, DeviceFilter, DeviceOrder, DeviceReads, DeviceStats, Page, StoreResult,
};

use self::select::{BILLED, BY_ID, CHILDREN, DESCENDANTS, LAST_DELETED_BY_EUI, LIVE_BY_EUI};
use crate::row;
use crate::tx::Tx;

impl DeviceReads for Tx<'_> {
    fn device_by_id(&mut self, id: DeviceId) -> StoreResult<Option<Device>> {
        self.first(BY_ID, [id.uuid().into_bytes()], row::device)
    }

    fn device_live_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>> {
        self.first(LIVE_BY_EUI, [eui.bits().cast_signed()], row::device)
    }

    fn device_last_deleted_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>> {
        self.first(LAST_DELETED_BY_EUI, [eui.bits().cast_signed()], row::device)
    }

    fn devices_by_ids(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>> {
        let mut select = self.statement(BY_ID)?;
        let each: HashSet<DeviceId> = ids.iter().copied().collect();
        let found = each.into_iter().map(|id| select.first([id.uuid().into_bytes()], row::device));
        found.filter_map(Result::transpose).collect()
    }

    fn devices_live_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Device>> {
        let mut select = self.statement(LIVE_BY_EUI)?;
        let each: HashSet<Eui> = euis.iter().copied().collect();
        let found =
            each.into_iter().map(|eui| select.first([eui.bits().cast_signed()], row::device));
        found.filter_map(Result::transpose).collect()
    }

    fn devices_page(
        &mut self,
        filter: &DeviceFilter,
        order: DeviceOrder,
        page: Page,
    ) -> StoreResult<Vec<Device>> {
        let (sql, values) = filter::page(filter, order, page);
        self.all(&sql, rusqlite::params_from_iter(values), row::device)
    }

    fn devices_count(&mut self, filter: &DeviceFilter) -> StoreResult<u64> {
        let (sql, values) = filter::count(filter);
        let count = self.first(&sql, rusqlite::params_from_iter(values), row::count("device"))?;
        Ok(count.unwrap_or_default())
    }

    fn devices_stats(
        &mut self,
        customers: &[CustomerFilter],
        new_since: Timestamp,
    ) -> StoreResult<DeviceStats> {
        let (sql, values) = filter::stats(customers, new_since);
        let stats = self.first(&sql, rusqlite::params_from_iter(values), row::device_stats)?;
        Ok(stats.unwrap_or_default())
    }

    fn devices_billed(&mut self) -> StoreResult<u64> {
        Ok(self.first(BILLED, [], row::count("fleet_count"))?.unwrap_or_default())
    }

    fn device_children(&mut self, parent: DeviceId) -> StoreResult<Vec<Device>> {
        self.all(CHILDREN, [parent.uuid().into_bytes()], row::device)
    }

    fn device_descendants(&mut self, root: DeviceId) -> StoreResult<Vec<Device>> {
        self.all(DESCENDANTS, [root.uuid().into_bytes()], row::device)
    }
}
