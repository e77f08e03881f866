//! Devices.

use tokio_postgres::types::ToSql;
use weir_domain::{CustomerId, Device, DeviceId, DeviceKey, Eui, NewDevice};
use weir_store::{DeviceReads, DeviceState, DeviceWrites, Page, StoreError, StoreResult};

use crate::row::{self, Columns, Telemetries, eui_bits, telemetry_columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many states one statement stores.
const STATES_AT_ONCE: usize = 2_000;

/// Devices with their effective customers, in the order of columns that [`row::device`] reads.
macro_rules! select_devices {
    ($conditions:literal) => {
        concat!(
            "SELECT d.key, d.id, d.dev_eui, d.name, d.status, d.is_active, d.end_user_id, \
                 c.id, c.name, d.parent_id, d.is_principal, d.hierarchy_level, d.deleted_at, \
                 d.created_at, d.updated_at, ",
            telemetry_columns!(),
            " FROM device d \
             LEFT JOIN end_user u ON u.reseller_id = d.reseller_id AND u.id = d.end_user_id \
             LEFT JOIN customer c ON c.reseller_id = d.reseller_id \
                 AND c.id = coalesce(u.customer_id, d.customer_id) \
             WHERE d.reseller_id = $1 AND ",
            $conditions
        )
    };
}

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

    fn devices_page(&mut self, page: Page) -> StoreResult<Vec<Device>> {
        let reseller = self.reseller()?;
        let sql = select_devices!(
            "d.deleted_at IS NULL ORDER BY d.created_at DESC, d.id DESC LIMIT $2 OFFSET $3"
        );
        let rows = self.rows(sql, &[&reseller, &i64::from(page.limit), &offset(page)])?;
        rows.iter().map(row::device).collect()
    }

    fn devices_count(&mut self) -> StoreResult<u64> {
        let reseller = self.reseller()?;
        let sql = "SELECT count(*) FROM device WHERE reseller_id = $1 AND deleted_at IS NULL";
        Ok(row::count(self.row(sql, &[&reseller])?.as_ref())?.unsigned_abs())
    }
}

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
                 parent_id, is_principal, hierarchy_level, message_count, created_at, updated_at)
            VALUES ($1, $2, $3, $3, $4, $5, 'offline', true, $6, $7, $8, $9, 0, $10, $10)
            RETURNING key";
        let inserted = self.row(
            sql,
            &[
                &reseller,
                &device.id.uuid(),
                &eui_bits(&device.dev_eui),
                &device.dev_eui.as_str(),
                &device.name.as_str(),
                &device.customer.map(CustomerId::uuid),
                &device.parent.map(DeviceId::uuid),
                &device.is_principal,
                &i16::from(device.hierarchy_level),
                &device.created_at.micros(),
            ],
        )?;
        let missing = || StoreError::Broken("an inserted device has no key".into());
        inserted.map(|row| Columns::of(&row).take().map(DeviceKey)).ok_or_else(missing)?
    }

    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>> {
        let reseller = self.reseller()?;
        let keys: Vec<i64> = keys.iter().map(|key| key.0).collect();
        // In one order for everybody, so that nobody waits for each other.
        let sql = concat!(
            "SELECT key, status, deleted_at IS NULL, ",
            telemetry_columns!(),
            " FROM device WHERE reseller_id = $1 AND key = ANY($2) ORDER BY key FOR NO KEY UPDATE"
        );
        let rows = self.rows(sql, &[&reseller, &keys])?;
        rows.iter().map(row::device_state).collect()
    }

    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = states.chunks(STATES_AT_ONCE).map(StateColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(Vec::as_slice).collect();
        let sql = concat!(
            "UPDATE device d SET status = s.status, device_name = s.device_name, \
                 battery_uv = s.battery_uv, last_reading_at = s.last_reading_at, \
                 newest_reading_at = s.newest_reading_at, first_seen_at = s.first_seen_at, \
                 last_seen_at = s.last_seen_at, message_count = s.message_count, \
                 latitude = s.latitude, longitude = s.longitude, altitude = s.altitude \
             FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], $6::bigint[], \
                 $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::float8[], \
                 $12::float8[], $13::float8[]) AS s (key, status, ",
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

/// How many rows to pass over, as far as a list can be long.
pub(crate) fn offset(page: Page) -> i64 {
    i64::try_from(page.offset).unwrap_or(i64::MAX)
}

struct StateColumns<'a> {
    keys: Vec<i64>,
    statuses: Vec<&'static str>,
    telemetries: Telemetries<'a>,
}

impl<'a> StateColumns<'a> {
    fn of(states: &'a [DeviceState]) -> Self {
        Self {
            keys: states.iter().map(|state| state.key.0).collect(),
            statuses: states.iter().map(|state| state.status.as_str()).collect(),
            telemetries: Telemetries::of(states.iter().map(|state| &state.telemetry)),
        }
    }

    fn params<'p>(&'p self, reseller: &'p uuid::Uuid) -> Vec<&'p (dyn ToSql + Sync)> {
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![reseller, &self.keys, &self.statuses];
        params.extend(self.telemetries.params());
        params
    }
}
