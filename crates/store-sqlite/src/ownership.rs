//! Changes of a device's end user, and the facts of the reports that go with them.

use std::collections::HashSet;

use rusqlite::params;
use weir_domain::{DeviceId, OwnershipId, OwnershipRecord};
use weir_store::{OwnershipReads, OwnershipWrites, StoreResult};

use crate::row;
use crate::tx::Tx;

/// The records of a device, newest first, in the order in which [`row::ownership`] takes the columns.
macro_rules! select_ownership {
    ($rest:literal) => {
        concat!(
            "SELECT id, device_id, previous_end_user_id, new_end_user_id, changed_at, changed_by,
                    has_report, notes
             FROM gate.ownership WHERE device_id = ?1 ORDER BY changed_at DESC, id DESC ",
            $rest
        )
    };
}

pub(crate) const BY_DEVICE: &str = select_ownership!("");

pub(crate) const NEWEST: &str = select_ownership!("LIMIT 1");

impl OwnershipReads for Tx<'_> {
    fn ownership_by_device(&mut self, device: DeviceId) -> StoreResult<Vec<OwnershipRecord>> {
        self.all(BY_DEVICE, [device.uuid().into_bytes()], row::ownership)
    }

    fn ownership_newest(&mut self, devices: &[DeviceId]) -> StoreResult<Vec<OwnershipRecord>> {
        let mut select = self.statement(NEWEST)?;
        let each: HashSet<DeviceId> = devices.iter().copied().collect();
        let found =
            each.into_iter().map(|id| select.first([id.uuid().into_bytes()], row::ownership));
        found.filter_map(Result::transpose).collect()
    }

    fn ownership_report(&mut self, id: OwnershipId) -> StoreResult<Option<String>> {
        let sql = "SELECT report FROM gate.ownership WHERE id = ?1";
        Ok(self.first(sql, [id.uuid().into_bytes()], row::ownership_report)?.flatten())
    }
}

impl OwnershipWrites for Tx<'_> {
    fn ownership_insert(
        &mut self,
        records: &[(OwnershipRecord, Option<String>)],
    ) -> StoreResult<()> {
        let mut insert = self.statement(
            "INSERT INTO ownership
                 (reseller_id, id, device_id, previous_end_user_id, new_end_user_id, changed_at,
                  changed_by, has_report, notes, report)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?;
        for (record, report) in records {
            insert.execute(params![
                record.id.uuid().into_bytes(),
                record.device.uuid().into_bytes(),
                record.previous.map(|id| id.uuid().into_bytes()),
                record.new.map(|id| id.uuid().into_bytes()),
                record.changed_at.micros(),
                record.changed_by,
                record.has_report,
                record.notes,
                report,
            ])?;
        }
        Ok(())
    }
}
