//! Changes of a device's end user, and the facts of the reports that go with them.

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{DeviceId, EndUserId, OwnershipId, OwnershipRecord};
use weir_store::{OwnershipReads, OwnershipWrites, StoreResult};

use crate::row::{self, Columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many records one statement adds. Each may bring a report.
const AT_ONCE: usize = 500;

impl OwnershipReads for Tx<'_> {
    fn ownership_by_device(&mut self, device: DeviceId) -> StoreResult<Vec<OwnershipRecord>> {
        let reseller = self.reseller()?;
        let sql = "SELECT id, device_id, previous_end_user_id, new_end_user_id, changed_at,
                changed_by, has_report, notes
            FROM ownership WHERE reseller_id = $1 AND device_id = $2
            ORDER BY changed_at DESC, id DESC";
        let rows = self.rows(sql, &[&reseller, &device.uuid()])?;
        rows.iter().map(row::ownership).collect()
    }

    fn ownership_newest(&mut self, devices: &[DeviceId]) -> StoreResult<Vec<OwnershipRecord>> {
        let reseller = self.reseller()?;
        let ids: Vec<_> = devices.iter().map(|id| id.uuid()).collect();
        // One look into the index for each device, however often it changed hands.
        let sql = "SELECT o.* FROM (SELECT DISTINCT id FROM unnest($2::uuid[]) AS id) AS d,
            LATERAL (
                SELECT id, device_id, previous_end_user_id, new_end_user_id, changed_at,
                    changed_by, has_report, notes
                FROM ownership WHERE reseller_id = $1 AND device_id = d.id
                ORDER BY changed_at DESC, id DESC LIMIT 1
            ) AS o";
        let rows = self.rows(sql, &[&reseller, &ids])?;
        rows.iter().map(row::ownership).collect()
    }

    fn ownership_report(&mut self, id: OwnershipId) -> StoreResult<Option<String>> {
        let reseller = self.reseller()?;
        let sql = "SELECT report FROM ownership WHERE reseller_id = $1 AND id = $2";
        let found = self.row(sql, &[&reseller, &id.uuid()])?;
        found.map_or(Ok(None), |row| Columns::of(&row).take())
    }
}

impl OwnershipWrites for Tx<'_> {
    fn ownership_insert(
        &mut self,
        records: &[(OwnershipRecord, Option<String>)],
    ) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = records.chunks(AT_ONCE).map(RecordColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 10]>::as_slice).collect();
        let sql = "INSERT INTO ownership
                (reseller_id, id, device_id, previous_end_user_id, new_end_user_id, changed_at,
                 changed_by, has_report, notes, report)
            SELECT $1, r.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[],
                $6::bigint[], $7::text[], $8::boolean[], $9::text[], $10::text[]) AS r
            ON CONFLICT DO NOTHING";
        // Without the clause Citus would copy the rows, which row-level security does not allow.
        let inserted = self.execute_each(sql, &params)?;
        crate::expect_rows(inserted, records.len(), "new ownership records")
    }
}

#[derive(Default)]
struct RecordColumns<'a> {
    ids: Vec<Uuid>,
    devices: Vec<Uuid>,
    previous: Vec<Option<Uuid>>,
    new: Vec<Option<Uuid>>,
    times: Vec<i64>,
    actors: Vec<&'a str>,
    have_reports: Vec<bool>,
    notes: Vec<Option<&'a str>>,
    reports: Vec<Option<&'a str>>,
}

impl<'a> RecordColumns<'a> {
    fn of(records: &'a [(OwnershipRecord, Option<String>)]) -> Self {
        let mut columns = Self::default();
        for (record, report) in records {
            columns.ids.push(record.id.uuid());
            columns.devices.push(record.device.uuid());
            columns.previous.push(record.previous.map(EndUserId::uuid));
            columns.new.push(record.new.map(EndUserId::uuid));
            columns.times.push(record.changed_at.micros());
            columns.actors.push(&record.changed_by);
            columns.have_reports.push(record.has_report);
            columns.notes.push(record.notes.as_deref());
            columns.reports.push(report.as_deref());
        }
        columns
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 10] {
        [
            reseller,
            &self.ids,
            &self.devices,
            &self.previous,
            &self.new,
            &self.times,
            &self.actors,
            &self.have_reports,
            &self.notes,
            &self.reports,
        ]
    }
}
