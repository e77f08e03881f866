//! The columns of many devices, for `unnest`.

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{CustomerId, Device, DeviceId, EndUserId, Name, Timestamp};
use weir_store::DeviceState;

use crate::row::Telemetries;

/// What messages change.
pub(super) struct StateColumns<'a> {
    keys: Vec<i64>,
    statuses: Vec<&'static str>,
    days_until: Vec<Option<i64>>,
    telemetries: Telemetries<'a>,
}

impl<'a> StateColumns<'a> {
    /// Takes states apart.
    pub(super) fn of(states: &'a [DeviceState]) -> Self {
        Self {
            keys: states.iter().map(|state| state.key.0).collect(),
            statuses: states.iter().map(|state| state.status.as_str()).collect(),
            days_until: states.iter().map(|s| s.days_until.map(Timestamp::micros)).collect(),
            telemetries: Telemetries::of(states.iter().map(|state| &state.telemetry)),
        }
    }

    /// As parameters, behind the reseller: key, status, up to when days are kept, telemetry.
    pub(super) fn params<'p>(&'p self, reseller: &'p Uuid) -> Vec<&'p (dyn ToSql + Sync)> {
        let mut params: Vec<&(dyn ToSql + Sync)> =
            vec![reseller, &self.keys, &self.statuses, &self.days_until];
        params.extend(self.telemetries.params());
        params
    }
}

/// What people change.
#[derive(Default)]
pub(super) struct DeviceColumns<'a> {
    ids: Vec<Uuid>,
    names: Vec<&'a str>,
    device_names: Vec<Option<&'a str>>,
    statuses: Vec<&'static str>,
    are_active: Vec<bool>,
    end_users: Vec<Option<Uuid>>,
    customers: Vec<Option<Uuid>>,
    parents: Vec<Option<Uuid>>,
    are_principal: Vec<bool>,
    levels: Vec<i16>,
    deletions: Vec<Option<i64>>,
    updates: Vec<i64>,
}

impl<'a> DeviceColumns<'a> {
    /// Takes devices apart.
    pub(super) fn of(devices: &'a [Device]) -> Self {
        let mut columns = Self::default();
        for device in devices {
            columns.ids.push(device.id.uuid());
            columns.names.push(device.name.as_str());
            columns.device_names.push(device.telemetry.device_name.as_ref().map(Name::as_str));
            columns.statuses.push(device.status.as_str());
            columns.are_active.push(device.is_active);
            columns.end_users.push(device.end_user.map(EndUserId::uuid));
            columns.customers.push(device.own_customer.map(CustomerId::uuid));
            columns.parents.push(device.parent.map(DeviceId::uuid));
            columns.are_principal.push(device.is_principal);
            columns.levels.push(i16::from(device.hierarchy_level));
            columns.deletions.push(device.deleted_at.map(Timestamp::micros));
            columns.updates.push(device.updated_at.micros());
        }
        columns
    }

    /// As parameters, behind the reseller: id, name, device name, status, whether it is active, end
    /// user, own customer, parent, whether it is principal, level, deletion, update.
    pub(super) fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 13] {
        [
            reseller,
            &self.ids,
            &self.names,
            &self.device_names,
            &self.statuses,
            &self.are_active,
            &self.end_users,
            &self.customers,
            &self.parents,
            &self.are_principal,
            &self.levels,
            &self.deletions,
            &self.updates,
        ]
    }
}
