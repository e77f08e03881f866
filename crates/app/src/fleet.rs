//! The fleet at a glance.

use jiff::ToSpan;
use jiff::civil::Date;
use weir_domain::{Battery, Calendar, Device, DeviceId, Status, Timestamp, Volume};
use weir_store::{DeviceFilter, DeviceOrder, FleetDay, KeptSpan, Page, ReadTx};

use crate::AppResult;

/// How many days are looked back on.
pub const DAYS: i64 = 30;

/// How many devices have which status, as it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByStatus {
    /// Heard lately.
    pub online: u64,
    /// Not heard lately.
    pub offline: u64,
    /// Taken out by a person.
    pub maintenance: u64,
}

/// Counts the live devices by their status.
pub fn by_status(tx: &mut dyn ReadTx, now: Timestamp) -> AppResult<ByStatus> {
    let mut count = |status| {
        tx.devices_count(&DeviceFilter { status: Some((status, now)), ..Default::default() })
    };
    let (offline, maintenance) = (count(Status::Offline)?, count(Status::Maintenance)?);
    Ok(ByStatus { online: count(Status::Online)?, offline, maintenance })
}

/// What the fleet consumed on each of the last finished days: the devices at the top of the tree, for what
/// those below them measure, they have measured too. A day is known of a device once it has sent
/// something later; days without any such device are zero.
pub fn last_days(
    tx: &mut dyn ReadTx,
    calendar: &Calendar,
    now: Timestamp,
) -> AppResult<Vec<FleetDay>> {
    let span = last_span(calendar, now);
    let kept = tx.fleet_days(span)?;
    let empty = |date| FleetDay { date, consumption: Volume::from_millilitres(0), meters: 0 };
    let day = |date: Date| kept.iter().find(|day| day.date == date).copied();
    let dates = span.from.series(1.day()).take_while(|date| *date < span.until);
    Ok(dates.map(|date| day(date).unwrap_or_else(|| empty(date))).collect())
}

/// Meters that somebody should look at, some of each kind.
#[derive(Debug, Clone, Default)]
pub struct Attention {
    /// Not heard lately.
    pub silent: Vec<Device>,
    /// Whose battery is low, the lowest first.
    pub battery_low: Vec<Device>,
    /// Whose counter fell within the last days, the latest first.
    pub counter_fell: Vec<Device>,
}

/// The meters to look at, at most so many of each kind.
pub fn attention(
    tx: &mut dyn ReadTx,
    calendar: &Calendar,
    now: Timestamp,
    most: u32,
) -> AppResult<Attention> {
    let offline = DeviceFilter { status: Some((Status::Offline, now)), ..Default::default() };
    let silent =
        tx.devices_page(&offline, DeviceOrder::NEWEST_FIRST, Page { limit: most, offset: 0 })?;
    let low = tx.fleet_batteries(Battery::LOW, most)?;
    let fell = tx.fleet_resets(last_span(calendar, now), most)?;
    Ok(Attention { silent, battery_low: in_order(tx, &low)?, counter_fell: in_order(tx, &fell)? })
}

fn in_order(tx: &mut dyn ReadTx, ids: &[DeviceId]) -> AppResult<Vec<Device>> {
    let mut devices = tx.devices_by_ids(ids)?;
    devices.sort_by_key(|device| ids.iter().position(|id| *id == device.id));
    Ok(devices)
}

fn last_span(calendar: &Calendar, now: Timestamp) -> KeptSpan {
    let today = calendar.day_of(now);
    let from = today.saturating_sub(DAYS.days());
    KeptSpan { from, until: today, ahead: calendar.ahead_at(now) }
}
