//! Devices.

use rusqlite::params;
use weir_domain::{Device, DeviceId, DeviceKey, Eui, NewDevice, Status};
use weir_store::{DeviceReads, DeviceState, DeviceWrites, Page, StoreResult};

use crate::row;
use crate::tx::Tx;

/// A device with its effective customer, in the order in which [`row::device`] takes the columns.
macro_rules! select_device {
    ($rest:literal) => {
        concat!(
            "SELECT device.id, device.key, device.dev_eui, device.name, device.status,
                    device.is_active, device.end_user_id, customer.id, customer.name,
                    device.parent_id, device.is_principal, device.hierarchy_level,
                    device.device_name, device.battery_uv, device.last_reading_at,
                    device.newest_reading_at, device.first_seen_at, device.last_seen_at,
                    device.message_count, device.latitude, device.longitude, device.altitude,
                    device.deleted_at, device.created_at, device.updated_at
             FROM gate.device AS device
             LEFT JOIN gate.end_user AS end_user ON end_user.id = device.end_user_id
             LEFT JOIN gate.customer AS customer
                 ON customer.id = coalesce(end_user.customer_id, device.customer_id) ",
            $rest
        )
    };
}

pub(crate) const BY_ID: &str = select_device!("WHERE device.id = ?1");

pub(crate) const LIVE_BY_EUI: &str = select_device!("WHERE device.live_eui = ?1");

const LAST_DELETED_BY_EUI: &str = select_device!(
    "WHERE device.eui = ?1 AND device.deleted_at IS NOT NULL
     ORDER BY device.deleted_at DESC, device.id DESC LIMIT 1"
);

pub(crate) const PAGE: &str = select_device!(
    "WHERE device.deleted_at IS NULL
     ORDER BY device.created_at DESC, device.id DESC LIMIT ?1 OFFSET ?2"
);

/// By the EUI, which an index has beside the reseller: no row is looked at.
pub(crate) const COUNT: &str = "SELECT count(*) FROM gate.device WHERE live_eui IS NOT NULL";

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

    fn devices_page(&mut self, page: Page) -> StoreResult<Vec<Device>> {
        self.all(PAGE, (page.limit, super::offset(page)), row::device)
    }

    fn devices_count(&mut self) -> StoreResult<u64> {
        let count = self.first(COUNT, [], row::number("device"))?;
        Ok(count.unwrap_or_default().cast_unsigned())
    }
}

impl DeviceWrites for Tx<'_> {
    fn lock_device_tree(&mut self) -> StoreResult<()> {
        // A writing transaction holds the only lock there is from its beginning.
        Ok(())
    }

    fn eui_claim(&mut self, eui: Eui) -> StoreResult<bool> {
        let sql = "INSERT INTO eui_claim (eui, reseller_id) VALUES (?1, current_reseller())
                   ON CONFLICT DO NOTHING";
        Ok(self.execute(sql, [eui.bits().cast_signed()])? == 1)
    }

    fn device_insert(&mut self, device: &NewDevice) -> StoreResult<DeviceKey> {
        self.execute(
            "INSERT INTO device
                 (reseller_id, id, eui, dev_eui, live_eui, name, status, is_active, customer_id,
                  parent_id, is_principal, hierarchy_level, message_count, created_at, updated_at)
             VALUES
                 (current_reseller(), ?1, ?2, ?3, ?2, ?4, ?5, 1, ?6, ?7, ?8, ?9, 0, ?10, ?10)",
            params![
                device.id.uuid().into_bytes(),
                device.dev_eui.bits().cast_signed(),
                device.dev_eui.as_str(),
                device.name.as_str(),
                Status::Offline.as_str(),
                device.customer.map(|id| id.uuid().into_bytes()),
                device.parent.map(|id| id.uuid().into_bytes()),
                device.is_principal,
                device.hierarchy_level,
                device.created_at.micros(),
            ],
        )?;
        Ok(DeviceKey(self.inserted_key()))
    }

    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>> {
        let mut select = self.statement(
            "SELECT key, status, deleted_at IS NULL, device_name, battery_uv, last_reading_at,
                    newest_reading_at, first_seen_at, last_seen_at, message_count, latitude,
                    longitude, altitude
             FROM gate.device WHERE key = ?1",
        )?;
        let states = keys.iter().map(|key| select.first([key.0], row::device_state).transpose());
        states.flatten().collect()
    }

    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()> {
        let mut update = self.statement(
            "UPDATE device
             SET status = ?2, device_name = ?3, battery_uv = ?4, last_reading_at = ?5,
                 newest_reading_at = ?6, first_seen_at = ?7, last_seen_at = ?8, message_count = ?9,
                 latitude = ?10, longitude = ?11, altitude = ?12
             WHERE key = ?1",
        )?;
        for DeviceState { key, status, telemetry, .. } in states {
            let updated = update.execute(params![
                key.0,
                status.as_str(),
                telemetry.device_name.as_ref().map(|name| name.as_str()),
                telemetry.battery.map(|battery| battery.microvolts()),
                telemetry.last_reading_at.map(|at| at.micros()),
                telemetry.newest_reading_at.map(|at| at.micros()),
                telemetry.first_seen_at.map(|at| at.micros()),
                telemetry.last_seen_at.map(|at| at.micros()),
                telemetry.message_count,
                telemetry.position.latitude,
                telemetry.position.longitude,
                telemetry.position.altitude,
            ])?;
            super::expect_rows(updated, 1, || format!("device {}", key.0))?;
        }
        Ok(())
    }

    fn device_keys_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<(Eui, DeviceKey)>> {
        let mut select = self.statement("SELECT key FROM gate.device WHERE live_eui = ?1")?;
        let keys = euis.iter().map(|eui| {
            let key = select.first([eui.bits().cast_signed()], row::device_key)?;
            Ok(key.map(|key| (*eui, key)))
        });
        keys.filter_map(Result::transpose).collect()
    }
}
