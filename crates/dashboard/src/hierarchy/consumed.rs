//! What many meters consumed lately.

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;
use weir_app::AppResult;
use weir_domain::consumption::{Summary, per_day};
use weir_domain::{Calendar, Device, DeviceId, DeviceKey, Timestamp, Volume};
use weir_store::{ReadTx, Span};

/// Over how many days consumption is compared, today the last of them.
pub const DAYS: u16 = 30;

/// How many meters are read at a time, so that the readings of thousands never lie in memory together.
const CHUNK: usize = 100;

/// What each of these devices consumed in the last days, each by its own calendar; those of which nothing
/// was read are left out. It is what the days of each come to; asking for the days of one after the other
/// was measured at ten times the time for a thousand meters.
pub fn consumed(
    tx: &mut dyn ReadTx,
    devices: &[&Device],
    now: Timestamp,
) -> AppResult<HashMap<DeviceId, Volume>> {
    let own = tx.reseller()?.map(|reseller| reseller.timezone).unwrap_or_default();
    let mut consumed = HashMap::with_capacity(devices.len());
    for devices in devices.chunks(CHUNK) {
        let keys: Vec<DeviceKey> = devices.iter().map(|device| device.key).collect();
        let zones: HashMap<DeviceKey, Option<String>> =
            tx.day_zones(&keys)?.into_iter().map(|zones| (zones.device, zones.customer)).collect();
        let calendars: Vec<Calendar> = keys
            .iter()
            .map(|key| zones.get(key).cloned().flatten())
            .map(|customer| Calendar::of_device(customer.as_deref(), &own))
            .collect();
        let spans: Vec<Span> =
            keys.iter().zip(&calendars).map(|(&key, calendar)| span(key, calendar, now)).collect();
        let readings = tx.readings_with_openings(&spans)?;
        for ((device, calendar), readings) in devices.iter().zip(&calendars).zip(readings) {
            let (first, last) = days(calendar, now);
            let summary = Summary::of(&per_day(readings, calendar, first, last));
            if summary.days_with_data > 0 {
                consumed.insert(device.id, summary.total);
            }
        }
    }
    Ok(consumed)
}

fn days(calendar: &Calendar, now: Timestamp) -> (Date, Date) {
    let today = calendar.day_of(now);
    (today.saturating_sub(i64::from(DAYS - 1).days()), today)
}

fn span(device: DeviceKey, calendar: &Calendar, now: Timestamp) -> Span {
    let (first, last) = days(calendar, now);
    Span { device, from: calendar.start_of(first), until: calendar.end_of(last) }
}
