//! The form to which The Things Stack itself normalizes what decoders give: a list of measurements
//! in units that it defines, each with a time of its own.

use weir_domain::{Reading, Timestamp, Volume};

use crate::cut::Cut;
use crate::error::Step;
use crate::field::{Field, Place, Slot};
use crate::findings::Findings;

/// The objects in a measurement that hold what is read.
const CUT: Cut = Cut::Levels(&[&["metering"], &["water"]]);

/// Reads one reading from each measurement that has a water meter's total; measurements of other
/// things are passed over. `None` where no measurement has one.
pub(crate) fn read(
    findings: &mut Findings,
    measurements: &Field<'_, '_>,
    received_at: Option<Timestamp>,
) -> Option<Vec<Reading>> {
    let measurements = measurements.unless_null();
    if measurements.is_absent() {
        return None;
    }
    let Some(elements) = findings.elements(&measurements, CUT) else {
        return Some(Vec::new());
    };
    let mut readings = None;
    for (index, json) in elements.iter().enumerate() {
        let measurement = Field {
            place: Place::inside(&measurements.place, Step::Index(index)),
            slot: Slot::Given(json),
        };
        if let Some(outcome) = read_measurement(findings, &measurement, received_at) {
            readings.get_or_insert_with(Vec::new).extend(outcome);
        }
    }
    readings
}

/// `None` where it has no total, `Some(None)` where it is not what it must be.
fn read_measurement(
    findings: &mut Findings,
    measurement: &Field<'_, '_>,
    received_at: Option<Timestamp>,
) -> Option<Option<Reading>> {
    let [metering, battery, time] = findings.members(measurement, ["metering", "battery", "time"]);
    let metering = metering.unless_null();
    let [water] = findings.members(&metering, ["water"]);
    let water = water.unless_null();
    let [total] = findings.members(&water, ["total"]);
    let total = total.unless_null();
    if total.is_absent() {
        return None;
    }
    let volume = read_total(findings, &total);
    let battery = findings.optional_battery(&battery);
    let time = findings.optional_time(&time).or(received_at);
    Some(time.zip(volume).map(|(time, volume)| Reading { time, volume, battery }))
}

fn read_total(findings: &mut Findings, total: &Field<'_, '_>) -> Option<Volume> {
    let litres = findings.number(total)?;
    let volume = Volume::from_litres(litres).map_err(|_| {
        let most = Volume::MAX.litres();
        format!("must be a number from 0 to {most} (litres)")
    });
    findings.accept(total, volume)
}
