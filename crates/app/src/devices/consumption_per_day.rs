//! The consumption of a device, by calendar days.

use jiff::ToSpan;
use jiff::civil::Date;
use weir_domain::consumption::kept::per_day_from;
use weir_domain::consumption::{Day, Summary, per_day};
use weir_domain::{Calendar, DeviceId, DeviceKey, Timestamp};
use weir_store::{From, ReadTx, Span};

use super::{DeviceRef, find_even_deleted};
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
        None => {
            let zones = tx.day_zones(&[device.key])?.pop().and_then(|zones| zones.customer);
            let own = tx.reseller()?.map(|reseller| reseller.timezone).unwrap_or_default();
            Calendar::of_device(zones.as_deref(), &own)
        }
    };
    let today = calendar.day_of(now);
    let first = today.saturating_sub(i64::from(asked.count.saturating_sub(1)).days());
    let days = days(tx, device.key, &calendar, first, today)?;
    let summary = Summary::of(&days);
    Ok(ConsumptionPerDay { device: device.id, calendar, days, summary })
}

/// The days of a device from one to another: those that are kept as they are, the others from their
/// readings.
fn days(
    tx: &mut dyn ReadTx,
    device: DeviceKey,
    calendar: &Calendar,
    first: Date,
    last: Date,
) -> AppResult<Vec<Day>> {
    let (from, until) = (calendar.start_of(first), calendar.end_of(last));
    let kept = tx.days_kept(device, calendar.name(), first)?;
    let kept = kept.map(|kept| (kept.first_open(calendar), kept.days));
    let Some((open, kept)) = kept.filter(|(open, _)| first <= *open) else {
        let readings = tx.readings_with_opening(Span { device, from, until })?;
        return Ok(per_day(readings, calendar, first, last));
    };
    let before = match kept.first() {
        Some(day) if day.date < first => Some(day.last_reading),
        // Older days may have had readings without being kept.
        _ => {
            let opening = tx.readings_with_opening(Span { device, from, until: from })?;
            opening.last().map(|reading| reading.volume)
        }
    };
    let since_then = From::Time(calendar.start_of(open));
    let readings = tx.readings_page(device, since_then, u32::MAX)?;
    Ok(per_day_from(&kept, before, readings, calendar, (first, open, last)))
}
