//! The consumption of a device, by calendar days.

use jiff::ToSpan;
use weir_domain::consumption::{Day, Summary, per_day};
use weir_domain::{Calendar, DeviceId, Timestamp};
use weir_store::ReadTx;

use super::{DeviceRef, calendar_of, find_even_deleted};
use crate::AppResult;

/// Which days are asked for.
#[derive(Debug, Clone)]
pub struct LastDays {
    /// How many, today the last of them.
    pub count: u16,
    /// Whose days; else those of the device's customer or reseller.
    pub calendar: Option<Calendar>,
}

/// What a device consumed on each of several days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumptionPerDay {
    /// The device.
    pub device: DeviceId,
    /// Whose days these are.
    pub calendar: Calendar,
    /// The days, oldest first.
    pub days: Vec<Day>,
    /// What they come to.
    pub summary: Summary,
}

/// What a device, soft-deleted or not, consumed on each of the last days, today included.
pub fn consumption_per_day(
    tx: &mut dyn ReadTx,
    device: DeviceRef,
    asked: &LastDays,
    now: Timestamp,
) -> AppResult<ConsumptionPerDay> {
    let device = find_even_deleted(tx, device)?;
    let calendar = match &asked.calendar {
        Some(calendar) => calendar.clone(),
        None => calendar_of(tx, device.customer)?,
    };
    let today = calendar.day_of(now);
    let first = today.saturating_sub(i64::from(asked.count.saturating_sub(1)).days());
    let (from, until) = (calendar.start_of(first), calendar.end_of(today));
    let readings = tx.readings_with_opening(device.key, from, until)?;
    let days = per_day(readings, &calendar, first, today);
    let summary = Summary::of(&days);
    Ok(ConsumptionPerDay { device: device.id, calendar, days, summary })
}
