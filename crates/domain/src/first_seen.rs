//! Since when a device has been heard, in the words of callers.

use std::str::FromStr;
use std::time::Duration;

use jiff::civil::Date;

use crate::{Calendar, Timestamp};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long devices count as new: the last 7 days.
pub const WEEK: Duration = DAY.saturating_mul(7);

/// The last 30 days.
pub const MONTH: Duration = DAY.saturating_mul(30);

/// A span of time up to now in which a device was first seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstSeen {
    /// Since midnight.
    Today,
    /// Within the last 7 days.
    Week,
    /// Within the last 30 days.
    Month,
    /// On that day or later.
    Since(Date),
}

/// The text is no such span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be today, week, month or a date such as 2026-03-29")]
pub struct NotASpan;

impl FromStr for FirstSeen {
    type Err = NotASpan;

    fn from_str(text: &str) -> Result<Self, NotASpan> {
        match text {
            "today" => Ok(Self::Today),
            "week" => Ok(Self::Week),
            "month" => Ok(Self::Month),
            date => read_date(date).map(Self::Since).ok_or(NotASpan),
        }
    }
}

/// A date as `YYYY-MM-DD` alone.
fn read_date(text: &str) -> Option<Date> {
    let is_plain = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    is_plain.then(|| text.parse().ok()).flatten()
}

impl FirstSeen {
    /// The first moment of the span, where days are those of a calendar.
    pub fn start(self, now: Timestamp, calendar: &Calendar) -> Timestamp {
        match self {
            Self::Week => now.minus(WEEK),
            Self::Month => now.minus(MONTH),
            Self::Today => calendar.start_of(calendar.day_of(now)),
            Self::Since(date) => calendar.start_of(date),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str, now: &str, timezone: &str) -> String {
        let span: FirstSeen = text.parse().unwrap();
        let calendar = Calendar::named(timezone).unwrap();
        span.start(Timestamp::parse(now).unwrap(), &calendar).to_string()
    }

    #[test]
    fn days_begin_at_local_midnight() {
        // In Lisbon the clocks go forward on that day at one o'clock; in Santiago a day can begin at
        // one.
        for (text, now, timezone, expected) in [
            ("today", "2026-03-29T12:00:00Z", "UTC", "2026-03-29T00:00:00+00:00"),
            ("today", "2026-03-29T22:59:59Z", "Europe/Lisbon", "2026-03-29T00:00:00+00:00"),
            ("today", "2026-03-29T23:00:00Z", "Europe/Lisbon", "2026-03-29T23:00:00+00:00"),
            ("today", "2026-03-29T03:00:00Z", "America/New_York", "2026-03-28T04:00:00+00:00"),
            ("2026-07-01", "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-06-30T22:00:00+00:00"),
            ("2026-09-06", "2026-03-29T12:00:00Z", "America/Santiago", "2026-09-06T04:00:00+00:00"),
            ("0000-01-01", "2026-03-29T12:00:00Z", "UTC", "0000-01-01T00:00:00+00:00"),
        ] {
            assert_eq!(start(text, now, timezone), expected, "{text} {now} {timezone}");
        }
        let end: FirstSeen = "9999-12-31".parse().unwrap();
        let now = Timestamp::from_micros(0);
        assert!(end.start(now, &Calendar::UTC) > now);
    }

    #[test]
    fn weeks_and_months_go_back_from_now() {
        let now = "2026-03-29T12:00:00.000001Z";
        assert_eq!(start("week", now, "Asia/Tokyo"), "2026-03-22T12:00:00.000001+00:00");
        assert_eq!(start("month", now, "Asia/Tokyo"), "2026-02-27T12:00:00.000001+00:00");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "Today",
            "year",
            "2026-02-30",
            "2026-13-01",
            "2026-3-1",
            "20260301",
            "2026-03-01T00:00:00Z",
            "-00001-01-01",
            "２０２６-03-01",
            " 2026-03-01",
        ] {
            assert_eq!(text.parse::<FirstSeen>(), Err(NotASpan), "{text:?}");
        }
    }
}
