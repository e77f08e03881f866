//! Keeping the finished days of devices that were heard.
//!
//! With the first readings of a new day, the days before it are computed once and kept, so that a year
//! per day is read from a few hundred rows instead of from every reading. What is kept is a cache: the
//! moment up to which it can be trusted is part of the device's state.

use std::collections::HashMap;

use jiff::civil::Date;
use weir_domain::consumption::kept::{self, NextDays};
use weir_domain::{Calendar, DeviceKey, Timestamp};
use weir_store::{DayZones, DaysOf, DeviceState, Span, StoreResult, WriteTx};

/// How many days of how many devices one transaction keeps at most, so that it stays short; a device
/// that has to wait is due again with its next message.
const MOST_OF_A_DEVICE: i64 = 8;
const MOST_DEVICES: usize = 1_024;

/// Days of one device that can be kept.
struct Plan {
    state: usize,
    calendar: Calendar,
    first: Date,
    end: Date,
    /// Kept days of that date and later make way.
    from: Date,
}

impl Plan {
    fn span(&self, device: DeviceKey) -> Span {
        let (from, until) = (self.calendar.start_of(self.first), self.calendar.start_of(self.end));
        Span { device, from, until }
    }
}

/// Keeps some finished days of some devices whose readings are stored, and says so in their states.
pub fn keep(tx: &mut dyn WriteTx, states: &mut [DeviceState]) -> StoreResult<()> {
    keep_up_to(tx, states, MOST_OF_A_DEVICE)
}

/// The same for all that anybody can ask for, however long that takes: for devices that come with a past.
pub fn keep_all(tx: &mut dyn WriteTx, states: &mut [DeviceState]) -> StoreResult<()> {
    for some in states.chunks_mut(MOST_DEVICES) {
        keep_up_to(tx, some, i64::from(u16::MAX))?;
    }
    Ok(())
}

fn keep_up_to(tx: &mut dyn WriteTx, states: &mut [DeviceState], most: i64) -> StoreResult<()> {
    let is_due =
        |state: &DeviceState| kept::is_due(state.days_until, state.telemetry.newest_reading_at);
    let due: Vec<DeviceKey> = states
        .iter()
        .filter(|state| is_due(state))
        .map(|state| state.key)
        .take(MOST_DEVICES)
        .collect();
    if due.is_empty() {
        return Ok(());
    }
    let zones = tx.day_zones(&due)?;
    let zones: HashMap<DeviceKey, &DayZones> =
        zones.iter().map(|zone| (zone.device, zone)).collect();
    let own = tx.reseller()?.map(|reseller| reseller.timezone).unwrap_or_default();
    let of_state = |(place, state): (usize, &DeviceState)| {
        plan(place, state, zones.get(&state.key)?, &own, most)
    };
    let plans: Vec<Plan> = states.iter().enumerate().filter_map(of_state).collect();
    let spans: Vec<Span> = plans.iter().map(|plan| plan.span(states[plan.state].key)).collect();
    let readings = tx.readings_with_openings(&spans)?;
    let mut days = Vec::with_capacity(plans.len());
    for (plan, readings) in plans.iter().zip(readings) {
        let state = &mut states[plan.state];
        days.push(DaysOf {
            device: state.key,
            zone: plan.calendar.name().to_owned(),
            from: plan.from,
            days: kept::finished(readings, &plan.calendar, plan.first, plan.end),
        });
        state.days_until = Some(plan.calendar.start_of(plan.end));
    }
    tx.days_keep(&days)
}

fn plan(place: usize, state: &DeviceState, zones: &DayZones, own: &str, most: i64) -> Option<Plan> {
    let calendar = Calendar::of_device(zones.customer.as_deref(), own);
    let newest = state.telemetry.newest_reading_at?;
    // Days of another time zone are of no use: all of them make way.
    let is_stranger = zones.kept.as_deref().is_some_and(|kept| kept != calendar.name());
    let until = if is_stranger { Timestamp::from_micros(0) } else { state.days_until? };
    let NextDays { from, first, end } = kept::next_days(&calendar, until, newest, most)?;
    let from = if is_stranger { Date::MIN } else { from };
    Some(Plan { state: place, calendar, first, end, from })
}
