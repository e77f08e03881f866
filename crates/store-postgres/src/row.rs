//! From rows to values and back.

pub(crate) mod sign_in;

use jiff::Span;
use jiff::civil::Date;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};
use weir_domain::consumption::kept::KeptDay;
use weir_domain::hierarchy::Node;
use weir_domain::{
    Battery, Customer, CustomerId, Device, DeviceId, DeviceKey, EndUser, EndUserId, Eui, Name,
    OwnershipId, OwnershipRecord, Position, Reading, Telemetry, Timestamp, Volume,
};
use weir_store::block::Block;
use weir_store::{CountedCustomer, CountedEndUser, DeviceState, Sighting, StoreError, StoreResult};

use crate::error::describe;

/// Takes the columns of a row one after the other.
pub(crate) struct Columns<'r> {
    row: &'r Row,
    next: usize,
}

impl<'r> Columns<'r> {
    /// From the first.
    pub(crate) const fn of(row: &'r Row) -> Self {
        Self { row, next: 0 }
    }

    /// From the one at that place.
    pub(crate) const fn behind(row: &'r Row, next: usize) -> Self {
        Self { row, next }
    }

    /// The next one.
    pub(crate) fn take<T: FromSql<'r>>(&mut self) -> StoreResult<T> {
        let value = self.row.try_get(self.next);
        self.next += 1;
        value.map_err(|error| StoreError::Broken(describe(&error)))
    }

    /// The next one, a time.
    pub(crate) fn time(&mut self) -> StoreResult<Timestamp> {
        self.take().map(Timestamp::from_micros)
    }

    /// The next one, a time if there is any.
    pub(crate) fn time_if_any(&mut self) -> StoreResult<Option<Timestamp>> {
        Ok(self.take::<Option<i64>>()?.map(Timestamp::from_micros))
    }

    /// The next one, how many there are of something.
    pub(crate) fn count(&mut self) -> StoreResult<u64> {
        self.take::<i64>().map(i64::unsigned_abs)
    }

    fn level(&mut self, id: DeviceId) -> StoreResult<u8> {
        u8::try_from(self.take::<i16>()?).map_err(|error| corrupt("device", &id, &error))
    }

    fn battery(&mut self) -> StoreResult<Option<Battery>> {
        Ok(self.take::<Option<i32>>()?.map(Battery::from_microvolts))
    }

    fn end_user(&mut self) -> StoreResult<EndUser> {
        Ok(EndUser {
            id: EndUserId::from_uuid(self.take()?),
            name: Name::stored(self.take()?),
            email: self.take()?,
            customer: self.take::<Option<_>>()?.map(CustomerId::from_uuid),
            created_at: self.time()?,
        })
    }

    /// The next ones, in the order of [`telemetry_columns`].
    fn telemetry(&mut self) -> StoreResult<Telemetry> {
        Ok(Telemetry {
            device_name: self.take::<Option<String>>()?.map(Name::stored),
            battery: self.battery()?,
            last_reading_at: self.time_if_any()?,
            newest_reading_at: self.time_if_any()?,
            first_seen_at: self.time_if_any()?,
            last_seen_at: self.time_if_any()?,
            message_count: self.take()?,
            position: Position {
                latitude: self.take()?,
                longitude: self.take()?,
                altitude: self.take()?,
            },
        })
    }
}

/// The columns of telemetry, in the order in which they are read and written.
macro_rules! telemetry_columns {
    () => {
        "device_name, battery_uv, last_reading_at, newest_reading_at, first_seen_at, last_seen_at, \
         message_count, latitude, longitude, altitude"
    };
}
pub(crate) use telemetry_columns;

/// The first column of the only row of a count.
pub(crate) fn count(row: Option<&Row>) -> StoreResult<u64> {
    row.map_or(Ok(0), |row| Columns::of(row).count())
}

/// A device: key, id, EUI as written, name, status, flags, owners, place in the tree, times, telemetry.
pub(crate) fn device(row: &Row) -> StoreResult<Device> {
    let mut columns = Columns::of(row);
    let key = DeviceKey(columns.take()?);
    let id = DeviceId::from_uuid(columns.take()?);
    let dev_eui: &str = columns.take()?;
    let name = Name::stored(columns.take()?);
    let status: &str = columns.take()?;
    Ok(Device {
        key,
        id,
        dev_eui: Eui::parse(dev_eui).map_err(|error| corrupt("device", &id, &error))?,
        name,
        status: status.parse().map_err(|error| corrupt("device", &id, &error))?,
        is_active: columns.take()?,
        end_user: columns.take::<Option<_>>()?.map(EndUserId::from_uuid),
        own_customer: columns.take::<Option<_>>()?.map(CustomerId::from_uuid),
        customer: columns.take::<Option<_>>()?.map(CustomerId::from_uuid),
        customer_name: columns.take::<Option<_>>()?.map(Name::stored),
        parent: columns.take::<Option<_>>()?.map(DeviceId::from_uuid),
        is_principal: columns.take()?,
        hierarchy_level: columns.level(id)?,
        deleted_at: columns.time_if_any()?,
        created_at: columns.time()?,
        updated_at: columns.time()?,
        telemetry: columns.telemetry()?,
    })
}

/// The state of a device: key, status, whether it is live, up to when its days are kept, telemetry.
pub(crate) fn device_state(row: &Row) -> StoreResult<DeviceState> {
    let mut columns = Columns::of(row);
    let key = DeviceKey(columns.take()?);
    let status: &str = columns.take()?;
    Ok(DeviceState {
        key,
        status: status.parse().map_err(|error| corrupt("device", &key.0, &error))?,
        is_live: columns.take()?,
        days_until: columns.time_if_any()?,
        telemetry: columns.telemetry()?,
    })
}

/// A device in the tree: id, parent, level.
pub(crate) fn node(row: &Row) -> StoreResult<Node> {
    let mut columns = Columns::of(row);
    let id = DeviceId::from_uuid(columns.take()?);
    let parent = columns.take::<Option<_>>()?.map(DeviceId::from_uuid);
    Ok(Node { id, parent, level: columns.level(id)? })
}

/// A customer: id, name, e-mail, phone, address, time zone, creation; devices and end users of it.
pub(crate) fn customer(row: &Row) -> StoreResult<CountedCustomer> {
    let mut columns = Columns::of(row);
    let customer = Customer {
        id: CustomerId::from_uuid(columns.take()?),
        name: Name::stored(columns.take()?),
        email: columns.take()?,
        phone: columns.take()?,
        address: columns.take()?,
        timezone: columns.take()?,
        created_at: columns.time()?,
    };
    Ok(CountedCustomer { customer, devices: columns.count()?, end_users: columns.count()? })
}

/// An end user: id, name, e-mail, customer, creation.
pub(crate) fn end_user(row: &Row) -> StoreResult<EndUser> {
    Columns::of(row).end_user()
}

/// An end user, and the devices that are assigned to it.
pub(crate) fn counted_end_user(row: &Row) -> StoreResult<CountedEndUser> {
    let mut columns = Columns::of(row);
    Ok(CountedEndUser { end_user: columns.end_user()?, devices: columns.count()? })
}

/// A record: id, device, previous and new end user, when, by whom, whether it has a report, notes.
pub(crate) fn ownership(row: &Row) -> StoreResult<OwnershipRecord> {
    let mut columns = Columns::of(row);
    Ok(OwnershipRecord {
        id: OwnershipId::from_uuid(columns.take()?),
        device: DeviceId::from_uuid(columns.take()?),
        previous: columns.take::<Option<_>>()?.map(EndUserId::from_uuid),
        new: columns.take::<Option<_>>()?.map(EndUserId::from_uuid),
        changed_at: columns.time()?,
        changed_by: columns.take()?,
        has_report: columns.take()?,
        notes: columns.take()?,
    })
}

/// A sighting: EUI as written, telemetry.
pub(crate) fn sighting(row: &Row) -> StoreResult<Sighting> {
    let mut columns = Columns::of(row);
    let written: &str = columns.take()?;
    let dev_eui = Eui::parse(written).map_err(|error| corrupt("sighting", &written, &error))?;
    Ok(Sighting { dev_eui, telemetry: columns.telemetry()? })
}

/// A reading: time, volume, battery.
pub(crate) fn reading(row: &Row) -> StoreResult<Reading> {
    let mut columns = Columns::of(row);
    Ok(Reading {
        time: columns.time()?,
        volume: Volume::from_millilitres(columns.take()?),
        battery: columns.battery()?,
    })
}

/// A block: device, time of its first reading, readings.
pub(crate) fn block(row: &Row) -> StoreResult<(DeviceKey, Block)> {
    let mut columns = Columns::of(row);
    let (device, since) = (DeviceKey(columns.take()?), columns.time()?);
    Ok((device, Block::stored(device, since, columns.take()?)?))
}

/// A finished day: date, consumption, last reading, whether the meter was replaced.
pub(crate) fn kept_day(row: &Row) -> StoreResult<KeptDay> {
    let mut columns = Columns::of(row);
    Ok(KeptDay {
        date: date(columns.take()?)?,
        consumption: Volume::from_millilitres(columns.take()?),
        last_reading: Volume::from_millilitres(columns.take()?),
        is_reset: columns.take()?,
    })
}

/// The day that dates are counted from.
const FIRST_DAY: Date = jiff::civil::date(1970, 1, 1);

/// A date as the number that is kept: days since 1970-01-01.
pub(crate) fn day_number(date: Date) -> i32 {
    // No date is more than four million days away.
    (date.duration_since(FIRST_DAY).as_hours() / 24) as i32
}

/// The date that a number stands for.
pub(crate) fn date(number: i32) -> StoreResult<Date> {
    let day = Span::new().try_days(number).and_then(|days| FIRST_DAY.checked_add(days));
    day.map_err(|error| corrupt("day", &number, &error))
}

/// The 64 bits of an EUI as the signed number that is kept.
pub(crate) fn eui_bits(eui: &Eui) -> i64 {
    eui.bits().cast_signed()
}

/// The columns of many telemetries, for `unnest`.
#[derive(Default)]
pub(crate) struct Telemetries<'a> {
    device_names: Vec<Option<&'a str>>,
    batteries: Vec<Option<i32>>,
    times: [Vec<Option<i64>>; 4],
    message_counts: Vec<i64>,
    coordinates: [Vec<Option<f64>>; 3],
}

impl<'a> Telemetries<'a> {
    /// Takes them apart.
    pub(crate) fn of(all: impl Iterator<Item = &'a Telemetry>) -> Self {
        let mut columns = Self::default();
        for one in all {
            columns.device_names.push(one.device_name.as_ref().map(Name::as_str));
            columns.batteries.push(one.battery.map(Battery::microvolts));
            let times =
                [one.last_reading_at, one.newest_reading_at, one.first_seen_at, one.last_seen_at];
            for (column, time) in columns.times.iter_mut().zip(times) {
                column.push(time.map(Timestamp::micros));
            }
            columns.message_counts.push(one.message_count);
            let position = &one.position;
            let coordinates = [position.latitude, position.longitude, position.altitude];
            for (column, coordinate) in columns.coordinates.iter_mut().zip(coordinates) {
                column.push(coordinate);
            }
        }
        columns
    }

    /// As parameters, in the order of [`telemetry_columns`].
    pub(crate) fn params(&self) -> [&(dyn ToSql + Sync); 10] {
        let [last_reading, newest_reading, first_seen, last_seen] = &self.times;
        let [latitudes, longitudes, altitudes] = &self.coordinates;
        [
            &self.device_names,
            &self.batteries,
            last_reading,
            newest_reading,
            first_seen,
            last_seen,
            &self.message_counts,
            latitudes,
            longitudes,
            altitudes,
        ]
    }
}

fn corrupt(table: &'static str, id: &impl ToString, reason: &impl ToString) -> StoreError {
    StoreError::Corrupt { table, id: id.to_string(), reason: reason.to_string() }
}
