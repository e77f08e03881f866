//! Changes of devices.

use std::collections::HashMap;

use rusqlite::params;
use weir_domain::hierarchy::Node;
use weir_domain::{CustomerId, Device, DeviceId, DeviceKey, EndUserId, Eui, NewDevice, Status};
use weir_store::{DeviceReads, DeviceState, DeviceWrites, EndUserReads, StoreResult};

use super::{indexed, tree};
use crate::row;
use crate::tx::Tx;

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
        self.recount(&[device.id], || {
            self.execute(
                "INSERT INTO device
                     (reseller_id, id, eui, dev_eui, live_eui, name, status, is_active, customer_id,
                      effective_customer_id, parent_id, is_principal, hierarchy_level,
                      message_count, created_at, updated_at)
                 VALUES
                     (current_reseller(), ?1, ?2, ?3, ?2, ?4, ?5, 1, ?6, ?6, ?7, ?8, ?9, 0, ?10,
                      ?10)",
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
        })
    }

    fn devices_locked(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>> {
        // As for the tree: whoever writes is alone.
        self.devices_by_ids(ids)
    }

    fn devices_store(&mut self, devices: &[Device]) -> StoreResult<()> {
        self.indexed.clear();
        let ids: Vec<_> = devices.iter().map(|device| device.id).collect();
        let customers = customers_of_owners(self, devices)?;
        self.recount(&ids, || {
            let mut update = self.statement(
                "UPDATE device
                 SET name = ?2, device_name = ?3, status = ?4, is_active = ?5, end_user_id = ?6,
                     customer_id = ?7, effective_customer_id = ?8, parent_id = ?9,
                     is_principal = ?10, hierarchy_level = ?11, live_eui = ?12, deleted_at = ?13,
                     updated_at = ?14
                 WHERE reseller_id = current_reseller() AND id = ?1",
            )?;
            for device in devices {
                let of_owner = device.end_user.and_then(|id| customers.get(&id)).copied();
                let updated = update.execute(params![
                    device.id.uuid().into_bytes(),
                    device.name.as_str(),
                    device.telemetry.device_name.as_ref().map(|name| name.as_str()),
                    device.status.as_str(),
                    device.is_active,
                    device.end_user.map(|id| id.uuid().into_bytes()),
                    device.own_customer.map(|id| id.uuid().into_bytes()),
                    of_owner.or(device.own_customer).map(|id| id.uuid().into_bytes()),
                    device.parent.map(|id| id.uuid().into_bytes()),
                    device.is_principal,
                    device.hierarchy_level,
                    device.is_live().then(|| device.dev_eui.bits().cast_signed()),
                    device.deleted_at.map(|at| at.micros()),
                    device.updated_at.micros(),
                ])?;
                crate::expect_rows(updated, 1, || format!("device {}", device.id))?;
            }
            Ok(())
        })
    }

    fn euis_release(&mut self, euis: &[Eui]) -> StoreResult<()> {
        // A claim that a live device still needs is refused by its foreign key.
        let mut delete = self.statement(
            "DELETE FROM eui_claim WHERE eui = ?1 AND reseller_id = current_reseller()",
        )?;
        euis.iter().try_for_each(|eui| delete.execute([eui.bits().cast_signed()]).map(drop))
    }

    fn device_tree(&mut self, roots: &[DeviceId]) -> StoreResult<Vec<Node>> {
        tree::below(self, roots)
    }

    fn device_ancestors(&mut self, id: DeviceId) -> StoreResult<Vec<Node>> {
        tree::above(self, id)
    }

    fn device_levels_store(&mut self, levels: &[(DeviceId, u8)]) -> StoreResult<()> {
        let mut update = self.statement(
            "UPDATE device SET hierarchy_level = ?2
             WHERE reseller_id = current_reseller() AND id = ?1",
        )?;
        for (id, level) in levels {
            let updated = update.execute((id.uuid().into_bytes(), level))?;
            crate::expect_rows(updated, 1, || format!("device {id}"))?;
        }
        Ok(())
    }

    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>> {
        let mut select = self.statement(
            "SELECT key, status, deleted_at IS NULL, device_name, battery_uv, last_reading_at,
                    newest_reading_at, first_seen_at, last_seen_at, message_count, latitude,
                    longitude, altitude, days_until, seen_mark
             FROM gate.device WHERE key = ?1",
        )?;
        let found = keys.iter().map(|key| select.first([key.0], row::device_state).transpose());
        let (states, indexed): (Vec<_>, Vec<_>) =
            found.flatten().collect::<StoreResult<Vec<_>>>()?.into_iter().unzip();
        drop(select);
        self.indexed = states.iter().map(|state: &DeviceState| state.key).zip(indexed).collect();
        Ok(states)
    }

    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()> {
        let known = std::mem::take(&mut self.indexed);
        let indexed = indexed::changes(self, states, &known)?;
        let mut update = self.statement(
            "UPDATE OR FAIL device
             SET device_name = ?2, battery_uv = ?3, last_reading_at = ?4, newest_reading_at = ?5,
                 last_seen_at = ?6, message_count = ?7, latitude = ?8, longitude = ?9,
                 altitude = ?10, days_until = ?11
             WHERE key = ?1",
        )?;
        for DeviceState { key, telemetry, days_until, .. } in states {
            let updated = update.execute(params![
                key.0,
                telemetry.device_name.as_ref().map(|name| name.as_str()),
                telemetry.battery.map(|battery| battery.microvolts()),
                telemetry.last_reading_at.map(|at| at.micros()),
                telemetry.newest_reading_at.map(|at| at.micros()),
                telemetry.last_seen_at.map(|at| at.micros()),
                telemetry.message_count,
                telemetry.position.latitude,
                telemetry.position.longitude,
                telemetry.position.altitude,
                days_until.map(|until| until.micros()),
            ])?;
            crate::expect_rows(updated, 1, || format!("device {}", key.0))?;
        }
        indexed::store(self, &indexed)
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

/// The customers of these devices' end users, of those who belong to one.
fn customers_of_owners(
    tx: &mut Tx<'_>,
    devices: &[Device],
) -> StoreResult<HashMap<EndUserId, CustomerId>> {
    let owners: Vec<_> = devices.iter().filter_map(|device| device.end_user).collect();
    let owners = tx.end_users_by_ids(&owners)?.into_iter();
    Ok(owners.filter_map(|owner| Some((owner.id, owner.customer?))).collect())
}
