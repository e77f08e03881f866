//! The smaller parts of the page.

use rust_decimal::Decimal;
use weir_app::fleet::{Attention, ByStatus};
use weir_app::resellers::Usage;
use weir_domain::billing::Bill;
use weir_domain::{Calendar, Device};
use weir_store::DeviceStats;

use crate::format;
use crate::text::overview as text;

/// How many meters there are of a kind, and the way to them.
pub(super) struct CountCard {
    pub path: &'static str,
    pub count: String,
    pub label: &'static str,
}

/// The meters, counted by what they lack.
pub(super) fn counts(stats: &DeviceStats, by_status: &ByStatus) -> [CountCard; 7] {
    let counts = [
        ("/devices", stats.total, text::DEVICES),
        ("/devices?status=online", by_status.online, text::ONLINE),
        ("/devices?status=offline", by_status.offline, text::OFFLINE),
        ("/devices?status=maintenance", by_status.maintenance, text::MAINTENANCE),
        ("/devices?first_seen=week", stats.new, text::NEW),
        ("/devices?customer=unassociated", stats.unassociated, text::UNASSOCIATED),
        ("/devices?user=unassigned", stats.unassigned, text::UNASSIGNED),
    ];
    counts.map(|(path, count, label)| CountCard { path, count: format::number(count), label })
}

/// A meter to look at.
pub(super) struct MeterCard {
    pub path: String,
    pub name: String,
    /// What is the matter, in words.
    pub reason: String,
}

/// The meters to look at, each with its reason.
pub(super) fn attention(attention: &Attention, calendar: &Calendar) -> Vec<MeterCard> {
    let card = |device: &Device, reason: String| MeterCard {
        path: format!("/devices/{}", device.id),
        name: device.name.to_string(),
        reason,
    };
    let silent = |device: &Device| match device.telemetry.last_seen_at {
        Some(at) => format!("{} {}", text::SILENT_SINCE, format::moment(calendar, at)),
        None => text::NEVER_HEARD.to_owned(),
    };
    let battery = |device: &Device| {
        let level = device.telemetry.battery.map(|battery| battery.volts().to_string());
        format!("{} ({})", text::BATTERY_LOW, level.unwrap_or_default())
    };
    let fell = attention.counter_fell.iter();
    let low = attention.battery_low.iter();
    fell.map(|device| card(device, text::COUNTER_FELL.to_owned()))
        .chain(low.map(|device| card(device, battery(device))))
        .chain(attention.silent.iter().map(|device| card(device, silent(device))))
        .collect()
}

/// What is used of the month.
pub(super) struct QuotaCard {
    pub used: String,
    pub limit: String,
    /// In percent, at most 100.
    pub percent: i64,
}

impl QuotaCard {
    pub(super) fn of(usage: Usage) -> Self {
        let share = i128::from(usage.used) * 100 / i128::from(usage.limit.max(1));
        Self {
            used: format::number(usage.used),
            limit: format::number(usage.limit),
            percent: share.clamp(0, 100) as i64,
        }
    }
}

/// What the month costs.
pub(super) struct BillCard {
    pub tier: String,
    pub active: String,
    pub included: String,
    pub overage: String,
    pub total: String,
}

impl BillCard {
    pub(super) fn of(bill: Bill) -> Self {
        let money = |amount: Decimal| format!("{amount:.2} {}", bill.currency);
        Self {
            active: format::number(bill.active_devices),
            included: format::number(bill.included_devices),
            overage: format::number(bill.overage_devices),
            total: money(bill.total_cost),
            tier: bill.tier,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_quota_is_a_percentage() {
        let percent = |used, limit| QuotaCard::of(Usage { limit, used }).percent;
        assert_eq!((percent(0, 100), percent(50, 100), percent(99, 100)), (0, 50, 99));
        assert_eq!((percent(200, 100), percent(5, 0), percent(i64::MAX, 1)), (100, 100, 100));
        assert_eq!(percent(i64::MAX, i64::MAX), 100);
    }
}
