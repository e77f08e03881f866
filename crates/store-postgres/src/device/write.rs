//! Changes of devices.

use tokio_postgres::types::ToSql;
use weir_domain::hierarchy::Node;
use weir_domain::{CustomerId, Device, DeviceId, DeviceKey, Eui, NewDevice};
use weir_store::{DeviceReads, DeviceState, DeviceWrites, StoreError, StoreResult};

use super::columns::{DeviceColumns, StateColumns};
use super::{hold, tree};
use crate::fleet::{Kind, kind_columns};
use crate::row::{self, Columns, eui_bits, telemetry_columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many devices one statement stores.
const AT_ONCE: usize = 2_000;
/// How many of their states: what takes the server a few milliseconds, so that it may pause in between.
const STATES_AT_ONCE: usize = 250;

impl DeviceWrites for Tx<'_> {
    fn lock_device_tree(&mut self) -> StoreResult<()> {
        let reseller = self.reseller()?;
        // Weak enough for rows that refer to the reseller to be added meanwhile.
        self.row("SELECT 1 FROM reseller WHERE id = $1 FOR NO KEY UPDATE", &[&reseller])?;
        Ok(())
    }

    fn eui_claim(&mut self, eui: Eui) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO eui_claim (eui, reseller_id)
            SELECT eui, $1 FROM unnest(ARRAY[$2::bigint]) AS eui ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, &[&reseller, &eui_bits(&eui)])? == 1)
    }

    fn device_insert(&mut self, device: &NewDevice) -> StoreResult<DeviceKey> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO device
                (reseller_id, id, eui, live_eui, dev_eui, name, status, is_active, customer_id,
                 effective_customer_id, parent_id, is_principal, hierarchy_level, message_count,
                 created_at, updated_at)
            VALUES ($1, $2, $3, $3, $4, $5, 'offline', true, $6, $6, $7, $8, $9, 0, $10, $10)
            RETURNING key";
        let customer = device.customer.map(CustomerId::uuid);
        let inserted = self.row(
            sql,
            &[
                &reseller,
                &device.id.uuid(),
                &eui_bits(&device.dev_eui),
                &device.dev_eui.as_str(),
                &device.name.as_str(),
                &customer,
                &device.parent.map(DeviceId::uuid),
                &device.is_principal,
                &i16::from(device.hierarchy_level),
                &device.created_at.micros(),
            ],
        )?;
        self.fleet.gain(Kind::of_new(customer, device.is_principal));
        let missing = || StoreError::Broken("an inserted device has no key".into());
        inserted.map(|row| Columns::of(&row).take().map(DeviceKey)).ok_or_else(missing)?
    }

    fn devices_locked(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let keys: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        // In the same order as for messages, so that nobody waits for each other; weak enough for
        // readings and devices below to be added meanwhile.
        let sql = "SELECT 1 FROM device WHERE reseller_id = $1 AND id = ANY($2)
            ORDER BY key FOR NO KEY UPDATE";
        self.rows(sql, &[&reseller, &keys])?;
        self.holds_devices = true;
        // Only what is read from here on is sure to stay as it is.
        self.devices_by_ids(ids)
    }

    fn devices_store(&mut self, devices: &[Device]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        hold::hold_to_store(self, devices)?;
        let columns: Vec<_> = devices.chunks(AT_ONCE).map(DeviceColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 13]>::as_slice).collect();
        let sql = concat!(
            "UPDATE device d SET name = s.name, device_name = s.device_name, \
                 status = s.status, is_active = s.is_active, end_user_id = s.end_user_id, \
                 customer_id = s.customer_id, \
                 effective_customer_id = coalesce(u.customer_id, s.customer_id), \
                 parent_id = s.parent_id, is_principal = s.is_principal, \
                 hierarchy_level = s.hierarchy_level, deleted_at = s.deleted_at, \
                 updated_at = s.updated_at, \
                 live_eui = CASE WHEN s.deleted_at IS NULL THEN d.eui END \
             FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[], \
                 $7::uuid[], $8::uuid[], $9::uuid[], $10::boolean[], $11::smallint[], \
                 $12::bigint[], $13::bigint[]) AS s (id, name, device_name, status, is_active, \
                 end_user_id, customer_id, parent_id, is_principal, hierarchy_level, deleted_at, \
                 updated_at) \
             LEFT JOIN end_user u ON u.reseller_id = $1 AND u.id = s.end_user_id \
             WHERE d.reseller_id = $1 AND d.id = s.id RETURNING ",
            kind_columns!()
        );
        let stored = self.rows_of_each(sql, &params)?;
        crate::expect_rows(stored.len() as u64, devices.len(), "devices")?;
        self.fleet.gain_all(&stored)
    }

    fn euis_release(&mut self, euis: &[Eui]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let euis: Vec<i64> = euis.iter().map(eui_bits).collect();
        // A claim that a live device still needs is refused by its foreign key.
        let sql = "DELETE FROM eui_claim WHERE reseller_id = $1 AND eui = ANY($2)";
        self.execute(sql, &[&reseller, &euis])?;
        Ok(())
    }

    fn device_tree(&mut self, roots: &[DeviceId]) -> StoreResult<Vec<Node>> {
        tree::below(self, roots)
    }

    fn device_ancestors(&mut self, id: DeviceId) -> StoreResult<Vec<Node>> {
        tree::above(self, id)
    }

    fn device_levels_store(&mut self, levels: &[(DeviceId, u8)]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let (ids, numbers): (Vec<_>, Vec<_>) =
            levels.iter().map(|(id, level)| (id.uuid(), i16::from(*level))).unzip();
        let sql = "UPDATE device d SET hierarchy_level = s.level
            FROM unnest($2::uuid[], $3::smallint[]) AS s (id, level)
            WHERE d.reseller_id = $1 AND d.id = s.id";
        let stored = self.execute(sql, &[&reseller, &ids, &numbers])?;
        crate::expect_rows(stored, levels.len(), "levels of devices")
    }

    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>> {
        let reseller = self.reseller()?;
        let mut keys: Vec<i64> = keys.iter().map(|key| key.0).collect();
        // In one order for everybody, so that nobody waits for each other.
        keys.sort_unstable();
        keys.dedup();
        let sql = concat!(
            "SELECT key, status, deleted_at IS NULL, days_until, ",
            telemetry_columns!(),
            " FROM device WHERE reseller_id = $1 AND key = ANY($2) ORDER BY key FOR NO KEY UPDATE"
        );
        let keys: Vec<&[i64]> = keys.chunks(STATES_AT_ONCE).collect();
        let params: Vec<[&(dyn ToSql + Sync); 2]> =
            keys.iter().map(|keys| [&reseller as _, keys as _]).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 2]>::as_slice).collect();
        let rows = self.rows_of_each(sql, &params)?;
        self.holds_devices = true;
        rows.iter().map(row::device_state).collect()
    }

    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = states.chunks(STATES_AT_ONCE).map(StateColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(Vec::as_slice).collect();
        let sql = concat!(
            "UPDATE device d SET status = s.status, days_until = s.days_until, \
                 device_name = s.device_name, battery_uv = s.battery_uv, last_reading_at = s.last_reading_at, \
                 newest_reading_at = s.newest_reading_at, first_seen_at = s.first_seen_at, \
                 last_seen_at = s.last_seen_at, message_count = s.message_count, \
                 seen_mark = CASE WHEN s.last_seen_at > d.seen_mark + 86400000000 \
                     THEN s.last_seen_at ELSE least(d.seen_mark, coalesce(s.last_seen_at, 0)) END, \
                 latitude = s.latitude, longitude = s.longitude, altitude = s.altitude \
             FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::int[], \
                 $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], \
                 $12::float8[], $13::float8[], $14::float8[]) AS s (key, status, days_until, ",
            telemetry_columns!(),
            ") WHERE d.reseller_id = $1 AND d.key = s.key"
        );
        self.execute_each(sql, &params)?;
        Ok(())
    }

    fn device_keys_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<(Eui, DeviceKey)>> {
        let reseller = self.reseller()?;
        let euis: Vec<i64> = euis.iter().map(eui_bits).collect();
        let sql = "SELECT live_eui, key FROM device
            WHERE reseller_id = $1 AND live_eui = ANY($2)";
        let rows = self.rows(sql, &[&reseller, &euis])?;
        let found = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            let eui: i64 = columns.take()?;
            Ok((Eui::from_bits(eui.cast_unsigned()), DeviceKey(columns.take()?)))
        });
        found.collect()
    }
}
