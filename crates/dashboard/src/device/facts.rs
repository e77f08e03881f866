//! What is known about a device, line by line.

use weir_domain::telemetry::Position;
use weir_domain::{Battery, Calendar, Device, EndUser, Timestamp, Volume};

use crate::format;
use crate::text::device as text;

/// What a fact is called, and what it says.
pub type Fact = (&'static str, String);

/// What a device is, and whose.
pub fn identity(device: &Device, end_user: Option<&EndUser>, calendar: &Calendar) -> Vec<Fact> {
    vec![
        (text::DEV_EUI, device.dev_eui.to_string()),
        (text::ID, device.id.to_string()),
        (text::DEVICE_NAME, or_none(device.telemetry.device_name.as_ref())),
        (text::CUSTOMER, or_none(device.customer_name.as_ref())),
        (text::END_USER, or_none(end_user.map(|end_user| &end_user.name))),
        (text::BILLED, if device.is_active { text::YES } else { text::NO }.to_owned()),
        (text::REGISTERED, format::moment(calendar, device.created_at)),
    ]
}

/// How a device is.
pub fn state(device: &Device, value: Option<Volume>, calendar: &Calendar) -> Vec<Fact> {
    let telemetry = &device.telemetry;
    let moment = |at: Option<Timestamp>| or_none(at.map(|at| format::moment(calendar, at)));
    vec![
        (text::METER_VALUE, or_none(value.map(format::volume))),
        (text::LAST_READING, moment(telemetry.last_reading_at)),
        (text::BATTERY, or_none(telemetry.battery.map(volts))),
        (text::POSITION, or_none(position(telemetry.position))),
        (text::LAST_SEEN, moment(telemetry.last_seen_at)),
        (text::FIRST_SEEN, moment(telemetry.first_seen_at)),
        (text::MESSAGES, format::number(telemetry.message_count)),
    ]
}

fn or_none(fact: Option<impl ToString>) -> String {
    fact.map_or_else(|| text::NONE.to_owned(), |fact| fact.to_string())
}

/// A battery as it is read.
pub fn volts(battery: Battery) -> String {
    format!("{:.2} V", battery.volts())
}

fn position(position: Position) -> Option<String> {
    let (latitude, longitude) = position.latitude.zip(position.longitude)?;
    Some(match position.altitude {
        None => format!("{latitude:.5}, {longitude:.5}"),
        Some(altitude) => format!("{latitude:.5}, {longitude:.5}, {altitude:.0} m"),
    })
}
