//! Rows, and the values they are.

pub(crate) mod sign_in;

use std::fmt;

use jiff::civil::Date;
use rusqlite::Row;
use rusqlite::types::{FromSql, ValueRef};
use uuid::Uuid;
use weir_domain::consumption::kept::KeptDay;
use weir_domain::hierarchy::Node;
use weir_domain::{
    ApiKeyId, Battery, Customer, CustomerId, Device, DeviceId, DeviceKey, EndUser, EndUserId, Eui,
    Name, OwnershipId, OwnershipRecord, Position, Reading, Reseller, ResellerId, Status, Telemetry,
    Timestamp, Volume,
};
use weir_store::block::Block;
use weir_store::{
    ApiKey, CountedCustomer, CountedEndUser, DayZones, DeviceState, DeviceStats, FleetDay,
    Sighting, StoreError, StoreResult,
};

use crate::day::date_of;
use crate::device::indexed::Indexed;
use crate::fleet_count::Kind;

/// The columns of a row, taken from left to right. The first one names the row in errors.
pub(crate) struct Columns<'r> {
    table: &'static str,
    row: &'r Row<'r>,
    taken: usize,
}

impl<'r> Columns<'r> {
    /// The columns of a row of a table.
    pub fn of(table: &'static str, row: &'r Row<'r>) -> Self {
        Self { table, row, taken: 0 }
    }

    /// The next column.
    pub fn take<T: FromSql>(&mut self) -> StoreResult<T> {
        self.taken += 1;
        self.row.get(self.taken - 1).map_err(|error| self.corrupt(error))
    }

    fn take_bytes(&mut self) -> StoreResult<&'r [u8]> {
        self.taken += 1;
        let value = self.row.get_ref(self.taken - 1).map_err(|error| self.corrupt(error))?;
        value.as_blob().map_err(|error| self.corrupt(error))
    }

    fn take_uuid<T>(&mut self, id: impl FnOnce(Uuid) -> T) -> StoreResult<T> {
        self.take().map(Uuid::from_bytes).map(id)
    }

    fn take_optional_uuid<T>(&mut self, id: impl FnOnce(Uuid) -> T) -> StoreResult<Option<T>> {
        Ok(self.take::<Option<_>>()?.map(Uuid::from_bytes).map(id))
    }

    fn take_count(&mut self) -> StoreResult<u64> {
        self.take().map(i64::cast_unsigned)
    }

    fn take_name(&mut self) -> StoreResult<Name> {
        self.take().map(Name::stored)
    }

    fn take_eui(&mut self) -> StoreResult<Eui> {
        let text: String = self.take()?;
        Eui::parse(&text).map_err(|error| self.corrupt(format!("dev_eui {text:?} {error}")))
    }

    fn take_status(&mut self) -> StoreResult<Status> {
        let word: String = self.take()?;
        word.parse().map_err(|error| self.corrupt(format!("status {word:?} {error}")))
    }

    fn take_time(&mut self) -> StoreResult<Timestamp> {
        self.take().map(Timestamp::from_micros)
    }

    fn take_optional_time(&mut self) -> StoreResult<Option<Timestamp>> {
        Ok(self.take::<Option<_>>()?.map(Timestamp::from_micros))
    }

    fn take_date(&mut self) -> StoreResult<Date> {
        let day = self.take()?;
        date_of(day).ok_or_else(|| self.corrupt(format!("day {day} is no date")))
    }

    fn take_battery(&mut self) -> StoreResult<Option<Battery>> {
        Ok(self.take::<Option<_>>()?.map(Battery::from_microvolts))
    }

    fn take_telemetry(&mut self) -> StoreResult<Telemetry> {
        Ok(Telemetry {
            device_name: self.take::<Option<_>>()?.map(Name::stored),
            battery: self.take_battery()?,
            last_reading_at: self.take_optional_time()?,
            newest_reading_at: self.take_optional_time()?,
            first_seen_at: self.take_optional_time()?,
            last_seen_at: self.take_optional_time()?,
            message_count: self.take()?,
            position: Position {
                latitude: self.take()?,
                longitude: self.take()?,
                altitude: self.take()?,
            },
        })
    }

    fn take_end_user(&mut self) -> StoreResult<EndUser> {
        Ok(EndUser {
            id: self.take_uuid(EndUserId::from_uuid)?,
            name: self.take_name()?,
            email: self.take()?,
            customer: self.take_optional_uuid(CustomerId::from_uuid)?,
            created_at: self.take_time()?,
        })
    }

    fn corrupt(&self, reason: impl fmt::Display) -> StoreError {
        let id = match self.row.get_ref(0) {
            Ok(ValueRef::Integer(number)) => number.to_string(),
            Ok(ValueRef::Text(text)) => String::from_utf8_lossy(text).into_owned(),
            Ok(ValueRef::Blob(bytes)) => Uuid::from_slice(bytes).unwrap_or_default().to_string(),
            _ => "?".to_owned(),
        };
        StoreError::Corrupt { table: self.table, id, reason: reason.to_string() }
    }
}

/// `id, name, slug, tier, monthly_quota, timezone, is_closing, created_at`; its aliases are rows of
/// another table.
pub(crate) fn reseller(row: &Row<'_>) -> StoreResult<Reseller> {
    let mut columns = Columns::of("reseller", row);
    Ok(Reseller {
        id: columns.take_uuid(ResellerId::from_uuid)?,
        name: columns.take_name()?,
        slug: columns.take()?,
        aliases: Vec::new(),
        tier: columns.take()?,
        monthly_quota: columns.take()?,
        timezone: columns.take()?,
        is_closing: columns.take()?,
        created_at: columns.take_time()?,
    })
}

/// `id`.
pub(crate) fn reseller_id(row: &Row<'_>) -> StoreResult<ResellerId> {
    Columns::of("reseller", row).take_uuid(ResellerId::from_uuid)
}

/// `name`.
pub(crate) fn alias(row: &Row<'_>) -> StoreResult<Name> {
    Columns::of("reseller_alias", row).take_name()
}

/// `id, name, sealed, created_at`.
pub(crate) fn api_key(row: &Row<'_>) -> StoreResult<ApiKey> {
    let mut columns = Columns::of("api_key", row);
    Ok(ApiKey {
        id: columns.take_uuid(ApiKeyId::from_uuid)?,
        name: columns.take_name()?,
        sealed: columns.take()?,
        created_at: columns.take_time()?,
        last_used_at: columns.take_optional_time()?,
    })
}

/// `reseller_id, key_id`.
pub(crate) fn key_owner(row: &Row<'_>) -> StoreResult<(ResellerId, ApiKeyId)> {
    let mut columns = Columns::of("api_key_hash", row);
    Ok((columns.take_uuid(ResellerId::from_uuid)?, columns.take_uuid(ApiKeyId::from_uuid)?))
}

/// The columns of `device.rs`'s device query.
pub(crate) fn device(row: &Row<'_>) -> StoreResult<Device> {
    let mut columns = Columns::of("device", row);
    Ok(Device {
        id: columns.take_uuid(DeviceId::from_uuid)?,
        key: DeviceKey(columns.take()?),
        dev_eui: columns.take_eui()?,
        name: columns.take_name()?,
        status: columns.take_status()?,
        is_active: columns.take()?,
        end_user: columns.take_optional_uuid(EndUserId::from_uuid)?,
        own_customer: columns.take_optional_uuid(CustomerId::from_uuid)?,
        customer: columns.take_optional_uuid(CustomerId::from_uuid)?,
        customer_name: columns.take::<Option<_>>()?.map(Name::stored),
        parent: columns.take_optional_uuid(DeviceId::from_uuid)?,
        is_principal: columns.take()?,
        hierarchy_level: columns.take()?,
        telemetry: columns.take_telemetry()?,
        deleted_at: columns.take_optional_time()?,
        created_at: columns.take_time()?,
        updated_at: columns.take_time()?,
    })
}

/// `key, status, is_live`, telemetry, `days_until` and `seen_mark`.
pub(crate) fn device_state(row: &Row<'_>) -> StoreResult<(DeviceState, Indexed)> {
    let mut columns = Columns::of("device", row);
    let state = DeviceState {
        key: DeviceKey(columns.take()?),
        status: columns.take_status()?,
        is_live: columns.take()?,
        telemetry: columns.take_telemetry()?,
        days_until: columns.take_optional_time()?,
    };
    let (status, first_seen_at) = (state.status, state.telemetry.first_seen_at);
    Ok((state, Indexed { status, first_seen_at, seen_mark: columns.take_time()? }))
}

/// `status, first_seen_at, seen_mark`.
pub(crate) fn indexed(row: &Row<'_>) -> StoreResult<Indexed> {
    let mut columns = Columns::of("device", row);
    Ok(Indexed {
        status: columns.take_status()?,
        first_seen_at: columns.take_optional_time()?,
        seen_mark: columns.take_time()?,
    })
}

/// `key`.
pub(crate) fn device_key(row: &Row<'_>) -> StoreResult<DeviceKey> {
    Columns::of("device", row).take().map(DeviceKey)
}

/// `id, customer_id`.
pub(crate) fn own_customer(row: &Row<'_>) -> StoreResult<(DeviceId, Option<CustomerId>)> {
    let mut columns = Columns::of("device", row);
    let id = columns.take_uuid(DeviceId::from_uuid)?;
    Ok((id, columns.take_optional_uuid(CustomerId::from_uuid)?))
}

/// `effective_customer_id, is_assigned, is_principal, is_active`.
pub(crate) fn kind(row: &Row<'_>) -> StoreResult<Kind> {
    let mut columns = Columns::of("device", row);
    Ok(Kind {
        customer: columns.take_optional_uuid(CustomerId::from_uuid)?,
        is_assigned: columns.take()?,
        is_principal: columns.take()?,
        is_active: columns.take()?,
    })
}

/// `key, days_zone` and the time zone of its effective customer.
pub(crate) fn day_zones(row: &Row<'_>) -> StoreResult<DayZones> {
    let mut columns = Columns::of("device", row);
    Ok(DayZones {
        device: DeviceKey(columns.take()?),
        kept: columns.take()?,
        customer: columns.take()?,
    })
}

/// `day, consumption, last_reading, is_reset`.
pub(crate) fn kept_day(row: &Row<'_>) -> StoreResult<KeptDay> {
    let mut columns = Columns::of("day", row);
    Ok(KeptDay {
        date: columns.take_date()?,
        consumption: Volume::from_millilitres(columns.take()?),
        last_reading: Volume::from_millilitres(columns.take()?),
        is_reset: columns.take()?,
    })
}

/// `day`, the sum of its consumptions, and of how many.
pub(crate) fn fleet_day(row: &Row<'_>) -> StoreResult<FleetDay> {
    let mut columns = Columns::of("day", row);
    Ok(FleetDay {
        date: columns.take_date()?,
        consumption: Volume::from_millilitres(columns.take()?),
        meters: columns.take::<i64>()?.unsigned_abs(),
    })
}

/// `id` of a device.
pub(crate) fn device_id(row: &Row<'_>) -> StoreResult<DeviceId> {
    Columns::of("device", row).take_uuid(DeviceId::from_uuid)
}

/// `id, parent_id, hierarchy_level`.
pub(crate) fn node(row: &Row<'_>) -> StoreResult<Node> {
    let mut columns = Columns::of("device", row);
    Ok(Node {
        id: columns.take_uuid(DeviceId::from_uuid)?,
        parent: columns.take_optional_uuid(DeviceId::from_uuid)?,
        level: columns.take()?,
    })
}

/// All, new, unassociated and unassigned ones, counted.
pub(crate) fn device_stats(row: &Row<'_>) -> StoreResult<DeviceStats> {
    let mut columns = Columns::of("device", row);
    Ok(DeviceStats {
        total: columns.take_count()?,
        new: columns.take_count()?,
        unassociated: columns.take_count()?,
        unassigned: columns.take_count()?,
    })
}

/// A customer's id and name.
pub(crate) fn customer_name(row: &Row<'_>) -> StoreResult<(CustomerId, Name)> {
    let mut columns = Columns::of("customer", row);
    Ok((columns.take_uuid(CustomerId::from_uuid)?, columns.take_name()?))
}

/// The columns of `customer.rs`'s customer query.
pub(crate) fn counted_customer(row: &Row<'_>) -> StoreResult<CountedCustomer> {
    let mut columns = Columns::of("customer", row);
    Ok(CountedCustomer {
        customer: Customer {
            id: columns.take_uuid(CustomerId::from_uuid)?,
            name: columns.take_name()?,
            email: columns.take()?,
            phone: columns.take()?,
            address: columns.take()?,
            timezone: columns.take()?,
            created_at: columns.take_time()?,
        },
        devices: columns.take_count()?,
        end_users: columns.take_count()?,
    })
}

/// `id, name, email, customer_id, created_at`.
pub(crate) fn end_user(row: &Row<'_>) -> StoreResult<EndUser> {
    Columns::of("end_user", row).take_end_user()
}

/// An end user, and its devices counted.
pub(crate) fn counted_end_user(row: &Row<'_>) -> StoreResult<CountedEndUser> {
    let mut columns = Columns::of("end_user", row);
    Ok(CountedEndUser { end_user: columns.take_end_user()?, devices: columns.take_count()? })
}

/// The columns of `ownership.rs`'s record query.
pub(crate) fn ownership(row: &Row<'_>) -> StoreResult<OwnershipRecord> {
    let mut columns = Columns::of("ownership", row);
    Ok(OwnershipRecord {
        id: columns.take_uuid(OwnershipId::from_uuid)?,
        device: columns.take_uuid(DeviceId::from_uuid)?,
        previous: columns.take_optional_uuid(EndUserId::from_uuid)?,
        new: columns.take_optional_uuid(EndUserId::from_uuid)?,
        changed_at: columns.take_time()?,
        changed_by: columns.take()?,
        has_report: columns.take()?,
        notes: columns.take()?,
    })
}

/// `report`.
pub(crate) fn ownership_report(row: &Row<'_>) -> StoreResult<Option<String>> {
    Columns::of("ownership", row).take()
}

/// `ts, volume, battery_uv`, of whichever table.
pub(crate) fn reading(row: &Row<'_>) -> StoreResult<Reading> {
    let mut columns = Columns::of("reading", row);
    Ok(Reading {
        time: columns.take_time()?,
        volume: Volume::from_millilitres(columns.take()?),
        battery: columns.take_battery()?,
    })
}

/// `device, since, readings`.
pub(crate) fn block(row: &Row<'_>) -> StoreResult<Block> {
    let mut columns = Columns::of("reading_block", row);
    let (device, since) = (DeviceKey(columns.take()?), columns.take_time()?);
    Block::stored(device, since, columns.take_bytes()?)
}

/// `dev_eui` and telemetry.
pub(crate) fn sighting(row: &Row<'_>) -> StoreResult<Sighting> {
    let mut columns = Columns::of("sighting", row);
    Ok(Sighting { dev_eui: columns.take_eui()?, telemetry: columns.take_telemetry()? })
}

/// A single number of a table.
pub(crate) fn number(table: &'static str) -> impl Fn(&Row<'_>) -> StoreResult<i64> {
    move |row| Columns::of(table, row).take()
}

/// A single time of a row of a table, where it has one.
pub(crate) fn time(table: &'static str) -> impl Fn(&Row<'_>) -> StoreResult<Option<Timestamp>> {
    move |row| Columns::of(table, row).take_optional_time()
}

/// A single count of the rows of a table.
pub(crate) fn count(table: &'static str) -> impl Fn(&Row<'_>) -> StoreResult<u64> {
    move |row| Columns::of(table, row).take_count()
}
