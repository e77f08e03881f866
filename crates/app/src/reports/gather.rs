//! Gathering the facts of reports.

use std::collections::HashMap;
use std::time::Duration;

use weir_domain::consumption::{Day, Flow, per_day};
use weir_domain::{
    Calendar, CustomerId, Device, DeviceId, EndUser, EndUserId, Reading, Reseller, Timestamp,
};
use weir_store::{ReadTx, Span, StoreError};

use super::{DailyConsumption, ReportFacts};
use crate::devices::calendar_of;
use crate::{AppError, AppResult};

/// The facts of the final report of a device's owner, who loses it at `until`. The device is as it was
/// loaded, still with its end user; without one there is nothing to report.
///
/// Call it before the new ownership record is inserted: the period begins where the newest record gave
/// the device to its owner.
pub fn facts(
    tx: &mut dyn ReadTx,
    device: &Device,
    until: Timestamp,
) -> AppResult<Option<ReportFacts>> {
    Ok(facts_of(tx, std::slice::from_ref(device), until)?.pop().flatten())
}

/// The same for several devices, in their order.
pub fn facts_of(
    tx: &mut dyn ReadTx,
    devices: &[Device],
    until: Timestamp,
) -> AppResult<Vec<Option<ReportFacts>>> {
    if devices.iter().all(|device| device.end_user.is_none()) {
        return Ok(vec![None; devices.len()]);
    }
    let mut gathering = Gathering::begin(tx, devices)?;
    let spans: Vec<Span> = devices.iter().map(|device| gathering.span(device, until)).collect();
    let readings = tx.readings_with_openings(&spans)?;
    let facts = devices.iter().zip(readings);
    facts.map(|(device, readings)| gathering.facts(tx, device, readings, until)).collect()
}

/// What the reports of several devices have in common, loaded once.
struct Gathering {
    reseller: Reseller,
    owners: HashMap<EndUserId, EndUser>,
    since: HashMap<(DeviceId, EndUserId), Timestamp>,
    calendars: HashMap<Option<CustomerId>, Calendar>,
}

impl Gathering {
    fn begin(tx: &mut dyn ReadTx, devices: &[Device]) -> AppResult<Self> {
        let reseller = tx.reseller()?.ok_or_else(|| missing("resellers", "of the transaction"))?;
        let mut owners: Vec<EndUserId> = devices.iter().filter_map(|one| one.end_user).collect();
        owners.sort_unstable();
        owners.dedup();
        let owners = tx.end_users_by_ids(&owners)?;
        let ids: Vec<DeviceId> = devices.iter().map(|device| device.id).collect();
        let records = tx.ownership_newest(&ids)?;
        let since = records.into_iter().filter_map(|record| {
            let owner = record.new?;
            Some(((record.device, owner), record.changed_at))
        });
        Ok(Self {
            reseller,
            owners: owners.into_iter().map(|owner| (owner.id, owner)).collect(),
            since: since.collect(),
            calendars: HashMap::new(),
        })
    }

    /// Since when a device has been its owner's. One whose owner came with no record has been theirs
    /// from the beginning.
    fn since(&self, device: &Device, until: Timestamp) -> Timestamp {
        let given = device.end_user.and_then(|owner| self.since.get(&(device.id, owner)));
        given.copied().unwrap_or(device.created_at).min(until)
    }

    /// What was read while a device was its owner's; nothing where it has none. A span has its first
    /// moment and not its last; what was read at the very start opens the period, and what was read at
    /// its very end closes it.
    fn span(&self, device: &Device, until: Timestamp) -> Span {
        let moment = Duration::from_micros(1);
        let end = until.plus(moment);
        let from = device.end_user.map_or(end, |_| self.since(device, until).plus(moment));
        Span { device: device.key, from, until: end }
    }

    fn facts(
        &mut self,
        tx: &mut dyn ReadTx,
        device: &Device,
        readings: Vec<Reading>,
        until: Timestamp,
    ) -> AppResult<Option<ReportFacts>> {
        let Some(owner) = device.end_user else { return Ok(None) };
        let calendar = self.calendar(tx, device.customer)?;
        let since = self.since(device, until);
        let owner =
            self.owners.get(&owner).ok_or_else(|| missing("end_users", &owner.to_string()))?;
        let flow = Flow::through(readings.iter().map(|reading| reading.volume));
        let (opening, closing) = (readings.first(), readings.last());
        Ok(Some(ReportFacts {
            reseller: self.reseller.id,
            reseller_name: self.reseller.name.clone(),
            device: device.id,
            dev_eui: device.dev_eui,
            device_name: device.name.clone(),
            owner: owner.id,
            owner_name: owner.name.clone(),
            owner_email: owner.email.clone(),
            customer_name: device.customer_name.clone(),
            period_start: since,
            period_end: until,
            timezone: calendar.name().to_owned(),
            opening: opening.map(|reading| reading.volume),
            closing: closing.map(|reading| reading.volume),
            total: flow.volume,
            is_reset: flow.is_reset,
            days: daily(readings, &calendar, since, until),
        }))
    }

    fn calendar(
        &mut self,
        tx: &mut dyn ReadTx,
        customer: Option<CustomerId>,
    ) -> AppResult<Calendar> {
        if let Some(known) = self.calendars.get(&customer) {
            return Ok(known.clone());
        }
        let calendar = calendar_of(tx, customer)?;
        self.calendars.insert(customer, calendar.clone());
        Ok(calendar)
    }
}

/// What was consumed on each day that a period touches.
fn daily(
    readings: Vec<Reading>,
    calendar: &Calendar,
    since: Timestamp,
    until: Timestamp,
) -> Vec<DailyConsumption> {
    let days = per_day(readings, calendar, calendar.day_of(since), calendar.day_of(until));
    let daily = |day: Day| DailyConsumption { date: day.date, consumption: day.consumption };
    days.into_iter().map(daily).collect()
}

/// A row that others refer to is not there.
fn missing(table: &'static str, id: &str) -> AppError {
    AppError::Store(StoreError::Corrupt {
        table,
        id: id.to_owned(),
        reason: "it is referred to and not there".to_owned(),
    })
}
