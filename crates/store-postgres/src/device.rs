//! Devices.

mod columns;
mod count;
mod filter;
mod hold;
mod order;
mod select;
mod tree;
mod write;

use weir_domain::{Device, DeviceId, Eui, Timestamp};
use weir_store::{
    CustomerFilter, DeviceFilter, DeviceOrder, DeviceReads, DeviceStats, Page, StoreResult,
};

use self::select::select_devices;
use crate::row::{self, eui_bits};
use crate::tx::Tx;

impl DeviceReads for Tx<'_> {
    fn device_by_id(&mut self, id: DeviceId) -> StoreResult<Option<Device>> {
        let reseller = self.reseller()?;
        let found = self.row(select_devices!("d.id = $2"), &[&reseller, &id.uuid()])?;
        found.as_ref().map(row::device).transpose()
    }

    fn device_live_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>> {
        let reseller = self.reseller()?;
        let found = self.row(select_devices!("d.live_eui = $2"), &[&reseller, &eui_bits(&eui)])?;
        found.as_ref().map(row::device).transpose()
    }

    fn device_last_deleted_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>> {
        let reseller = self.reseller()?;
        let sql = select_devices!(
            "d.eui = $2 AND d.deleted_at IS NOT NULL ORDER BY d.deleted_at DESC, d.id DESC LIMIT 1"
        );
        let found = self.row(sql, &[&reseller, &eui_bits(&eui)])?;
        found.as_ref().map(row::device).transpose()
    }

    fn devices_by_ids(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        let rows = self.rows(select_devices!("d.id = ANY($2)"), &[&reseller, &ids])?;
        rows.iter().map(row::device).collect()
    }

    fn devices_live_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let euis: Vec<i64> = euis.iter().map(eui_bits).collect();
        let rows = self.rows(select_devices!("d.live_eui = ANY($2)"), &[&reseller, &euis])?;
        rows.iter().map(row::device).collect()
    }

    fn devices_page(
        &mut self,
        filter: &DeviceFilter,
        order: DeviceOrder,
        page: Page,
    ) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let conditions = filter::meant(reseller, filter);
        let rows = self.rows_where(&filter::page(&conditions, order, page), &conditions)?;
        rows.iter().map(row::device).collect()
    }

    fn devices_count(&mut self, filter: &DeviceFilter) -> StoreResult<u64> {
        if let Some(counted) = count::counted(self, filter)? {
            return Ok(counted);
        }
        let conditions = filter::meant(self.reseller()?, filter);
        let rows = self.rows_where(&filter::count(&conditions), &conditions)?;
        row::count(rows.first())
    }

    fn devices_stats(
        &mut self,
        customers: &[CustomerFilter],
        new_since: Timestamp,
    ) -> StoreResult<DeviceStats> {
        count::stats(self, customers, new_since)
    }

    fn devices_billed(&mut self) -> StoreResult<u64> {
        count::billed(self)
    }

    fn device_children(&mut self, parent: DeviceId) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let sql = select_devices!(
            "d.parent_id = $2 AND d.deleted_at IS NULL ORDER BY d.created_at DESC, d.id DESC"
        );
        let rows = self.rows(sql, &[&reseller, &parent.uuid()])?;
        rows.iter().map(row::device).collect()
    }

    fn device_descendants(&mut self, root: DeviceId) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        // A union ends the walk where it comes back to a device, should links ever form a circle.
        let sql = select_devices!(
            "WITH RECURSIVE below (id) AS (
                 SELECT id FROM device WHERE reseller_id = $1 AND parent_id = $2
                 UNION
                 SELECT child.id FROM below
                 JOIN device child ON child.reseller_id = $1 AND child.parent_id = below.id
             ) ",
            "d.id IN (SELECT id FROM below) AND d.deleted_at IS NULL
             ORDER BY d.hierarchy_level, d.created_at DESC, d.id DESC"
        );
        let rows = self.rows(sql, &[&reseller, &root.uuid()])?;
        rows.iter().map(row::device).collect()
    }
}
