//! A device in the list.

use weir_app::devices::DeviceInList;
use weir_domain::{Calendar, Timestamp};

use crate::chart::sparkline;
use crate::device::volts;
use crate::format;
use crate::text::fleet as text;

/// What the list shows of a device.
pub struct Row {
    /// Its id.
    pub id: String,
    /// Its display name.
    pub name: String,
    /// Its EUI.
    pub dev_eui: String,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// The word for its status.
    pub status: &'static str,
    /// Its status as it is read.
    pub status_text: &'static str,
    /// Its customer; empty where it has none.
    pub customer: String,
    /// Its newest value; empty where nothing was read.
    pub value: String,
    /// The points of its sparkline.
    pub trend: Option<String>,
    /// Its battery; empty where nothing is known of it.
    pub battery: String,
    /// When it was read last.
    pub last_reading: String,
    /// The day on which it was registered.
    pub registered: String,
}

/// How many characters of a name a row shows; its own page shows all of them.
const SHOWN: usize = 50;

impl Row {
    /// A device as it shows at a moment.
    pub fn of(listed: &DeviceInList, calendar: &Calendar, now: Timestamp) -> Self {
        let device = &listed.device;
        let volumes = listed.trend.as_deref().unwrap_or_default();
        let status = device.status_at(now);
        let last_reading = device.telemetry.last_reading_at;
        Self {
            id: device.id.to_string(),
            name: format::cut(device.name.as_str(), SHOWN),
            dev_eui: device.dev_eui.to_string(),
            is_principal: device.is_principal,
            status: status.as_str(),
            status_text: text::status(status),
            customer: device
                .customer_name
                .as_ref()
                .map(|name| format::cut(name.as_str(), SHOWN))
                .unwrap_or_default(),
            value: volumes.last().map(|&volume| format::volume(volume)).unwrap_or_default(),
            trend: sparkline::points(volumes),
            battery: device.telemetry.battery.map(volts).unwrap_or_default(),
            last_reading: last_reading
                .map_or_else(|| text::NEVER.to_owned(), |at| format::moment(calendar, at)),
            registered: format::day(calendar.day_of(device.created_at)),
        }
    }
}
