//! The calendar days of a time zone.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::Timestamp;

/// The days as people in one time zone live them: 23 hours where clocks go forward, 25 where they go
/// back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar(TimeZone);

/// The text names no time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an IANA time zone such as Europe/Lisbon")]
pub struct NotATimeZone;

impl Calendar {
    /// The days of UTC.
    pub const UTC: Self = Self(TimeZone::UTC);

    /// Reads the IANA name of a time zone that somebody gives.
    pub fn parse(name: &str) -> Result<Self, NotATimeZone> {
        Self::named(name).ok_or(NotATimeZone)
    }

    /// The days of the time zone of that IANA name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        // `Etc/Unknown` parses and is the name of no zone.
        TimeZone::get(name).ok().filter(|zone| zone.iana_name().is_some()).map(Self)
    }

    /// The days of a device whose customer and reseller have these time zones: the customer's, else
    /// the reseller's, else those of UTC.
    pub fn of_device(customer: Option<&str>, reseller: &str) -> Self {
        let known = customer.into_iter().chain([reseller]).find_map(Self::named);
        known.unwrap_or(Self::UTC)
    }

    /// The IANA name of the time zone.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The day that an instant lies in.
    pub fn day_of(&self, at: Timestamp) -> Date {
        self.clocks_at(at).date()
    }

    /// What clocks show at an instant.
    pub fn clocks_at(&self, at: Timestamp) -> DateTime {
        self.0.to_datetime(at.instant())
    }

    /// How far clocks are ahead of UTC at an instant, in microseconds.
    pub fn ahead_at(&self, at: Timestamp) -> i64 {
        i64::from(self.0.to_offset(at.instant()).seconds()) * 1_000_000
    }

    /// The first instant of a day. A day that the zone leaves out begins and ends where the next one
    /// begins.
    pub fn start_of(&self, day: Date) -> Timestamp {
        let start = day.to_zoned(self.0.clone());
        // Fails beyond the year 9999 alone.
        start.map_or(jiff::Timestamp::MAX, |start| start.timestamp()).into()
    }

    /// The first instant after a day.
    pub fn end_of(&self, day: Date) -> Timestamp {
        day.tomorrow().map_or(jiff::Timestamp::MAX.into(), |next| self.start_of(next))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::civil::date;

    use super::*;

    fn hours(zone: &str, day: Date) -> i64 {
        let calendar = Calendar::named(zone).unwrap();
        (calendar.end_of(day).micros() - calendar.start_of(day).micros()) / 3_600_000_000
    }

    #[test]
    fn days_are_as_long_as_clocks_make_them() {
        assert_eq!(hours("UTC", date(2026, 3, 29)), 24);
        assert_eq!(hours("Europe/Madrid", date(2026, 3, 29)), 23);
        assert_eq!(hours("Europe/Madrid", date(2026, 10, 25)), 25);
        assert_eq!(hours("America/New_York", date(2026, 3, 8)), 23);
        // Clocks go forward at midnight: the day begins at one.
        assert_eq!(hours("Africa/Cairo", date(2026, 4, 24)), 23);
        assert_eq!(hours("America/Havana", date(2026, 11, 1)), 25);
        assert_eq!(hours("Pacific/Apia", date(2011, 12, 30)), 0);
    }

    #[test]
    fn an_instant_lies_in_the_day_whose_bounds_are_around_it() {
        let moment = Duration::from_micros(1);
        for zone in ["UTC", "Europe/Madrid", "Africa/Cairo", "Asia/Kathmandu", "Pacific/Apia"] {
            let calendar = Calendar::named(zone).unwrap();
            let mut day = date(2026, 1, 1);
            while day.year() == 2026 {
                assert_eq!(calendar.day_of(calendar.start_of(day)), day, "{zone}");
                assert_eq!(calendar.day_of(calendar.end_of(day).minus(moment)), day, "{zone}");
                day = day.tomorrow().unwrap();
            }
        }
    }

    #[test]
    fn clocks_are_ahead_of_utc_by_season() {
        let ahead = |day| {
            let madrid = Calendar::named("Europe/Madrid").unwrap();
            madrid.ahead_at(madrid.start_of(day)) / 3_600_000_000
        };
        assert_eq!((ahead(date(2026, 1, 1)), ahead(date(2026, 7, 1))), (1, 2));
        assert_eq!(Calendar::UTC.ahead_at(Timestamp::from_micros(0)), 0);
    }

    #[test]
    fn zones_go_by_their_iana_names() {
        assert_eq!(Calendar::named("europe/lisbon").unwrap().name(), "Europe/Lisbon");
        assert_eq!(Calendar::UTC.name(), "UTC");
        for name in ["", "Etc/Unknown", "Mars/Olympus", "+02:00", "CET-1CEST"] {
            assert_eq!(Calendar::named(name), None, "{name}");
        }
    }
}
