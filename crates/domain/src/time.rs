//! Instants to the microsecond, and calendar months in UTC.

use std::fmt;
use std::time::Duration;

use jiff::civil;
use jiff::fmt::StdFmtWrite;
use jiff::fmt::temporal::{DateTimePrinter, Pieces, PiecesOffset};
use jiff::tz::Offset;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const WHOLE: DateTimePrinter = DateTimePrinter::new().precision(Some(0));
const FINE: DateTimePrinter = DateTimePrinter::new().precision(Some(6));
/// What the printers ask for, whatever the instant is.
const ROOM: usize = "-002026-03-29T00:59:58.123456789+00:00".len();

/// An instant, in whole microseconds since 1970.
///
/// It is written as RFC 3339 in UTC with `+00:00`, without a fraction where that is zero and with six
/// digits of it where it is not. In compact encodings it is the number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not a timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an ISO 8601 timestamp such as 2026-03-29T00:59:58.123456+00:00")]
pub struct NotATimestamp;

impl Timestamp {
    /// From microseconds since 1970.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Reads an ISO 8601 timestamp with any offset, or without one as UTC. What is finer than a
    /// microsecond is cut, not rounded.
    pub fn parse(text: &str) -> Result<Self, NotATimestamp> {
        let pieces = Pieces::parse(text).map_err(|_| NotATimestamp)?;
        if pieces.time_zone_annotation().is_some() {
            return Err(NotATimestamp);
        }
        let time = pieces.time().ok_or(NotATimestamp)?;
        let offset = match pieces.offset() {
            None => Offset::UTC,
            Some(PiecesOffset::Zulu) => Offset::UTC,
            Some(PiecesOffset::Numeric(numeric)) => numeric.offset(),
            Some(_) => return Err(NotATimestamp),
        };
        // The calendar reaches a little further than instants do; what is beyond them is their end.
        let instant = offset.to_timestamp(pieces.date().to_datetime(time));
        let beyond =
            if pieces.date().year() > 0 { jiff::Timestamp::MAX } else { jiff::Timestamp::MIN };
        Ok(instant.unwrap_or(beyond).into())
    }

    /// This instant and a duration later.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(micros(duration)))
    }

    /// This instant and a duration earlier.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(micros(duration)))
    }

    /// Whole seconds since 1970, rounded down.
    pub const fn epoch_seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    fn write_to(self, text: impl jiff::fmt::Write) -> Result<(), jiff::Error> {
        let is_whole = self.0.rem_euclid(1_000_000) == 0;
        let printer = if is_whole { WHOLE } else { FINE };
        printer.print_timestamp_with_offset(&self.instant(), Offset::UTC, text)
    }

    pub(crate) fn instant(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::MAX)
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(instant: jiff::Timestamp) -> Self {
        Self(instant.as_nanosecond().div_euclid(1_000) as i64)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(StdFmtWrite(f)).map_err(|_| fmt::Error)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            // At once and not piece by piece, each of which JSON would look through for what to escape.
            let mut text = String::with_capacity(ROOM);
            self.write_to(&mut text).map_err(serde::ser::Error::custom)?;
            serializer.serialize_str(&text)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            Self::parse(&text).map_err(serde::de::Error::custom)
        } else {
            i64::deserialize(deserializer).map(Self)
        }
    }
}

/// A calendar month in UTC, the period of the webhook quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Month(i32);

impl Month {
    /// The month that an instant lies in.
    pub fn of(at: Timestamp) -> Self {
        let date = Offset::UTC.to_datetime(at.instant());
        Self(i32::from(date.year()) * 12 + i32::from(date.month()) - 1)
    }

    /// From its stored number, the months since year 0.
    pub const fn from_number(number: i32) -> Self {
        Self(number)
    }

    /// Its stored number.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// The first instant after it.
    pub fn end(self) -> Timestamp {
        let next = self.0 + 1;
        let (year, month) = (next.div_euclid(12) as i16, next.rem_euclid(12) as i8 + 1);
        civil::Date::new(year, month, 1)
            .ok()
            .and_then(|first| {
                Offset::UTC.to_timestamp(first.to_datetime(civil::Time::midnight())).ok()
            })
            .map_or(Timestamp(i64::MAX), Timestamp::from)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        Timestamp::parse(text).unwrap().to_string()
    }

    #[test]
    fn offsets_come_in_and_utc_goes_out() {
        assert_eq!(read("2026-03-29T02:59:58.123456+02:00"), "2026-03-29T00:59:58.123456+00:00");
        assert_eq!(read("2026-03-29T00:59:58Z"), "2026-03-29T00:59:58+00:00");
        assert_eq!(read("2026-03-28T19:29:58-05:30"), "2026-03-29T00:59:58+00:00");
        assert_eq!(read("2026-03-29T00:59:58"), "2026-03-29T00:59:58+00:00");
    }

    #[test]
    fn nanoseconds_are_cut() {
        assert_eq!(read("2022-07-18T09:34:15.775023999+00:00"), "2022-07-18T09:34:15.775023+00:00");
        assert_eq!(read("1969-12-31T23:59:59.999999999Z"), "1969-12-31T23:59:59.999999+00:00");
    }

    #[test]
    fn the_ends_of_the_calendar_are_timestamps() {
        assert_eq!(read("9999-12-31T23:59:59Z"), "9999-12-30T22:00:00.999999+00:00");
        assert!(Timestamp::parse("-009999-01-01T00:00:00+14:00").is_ok());
    }

    #[test]
    fn what_is_no_timestamp_is_refused() {
        for text in [
            "",
            "yesterday",
            "2026-03-29",
            "12:00:00",
            "2026-02-30T00:00:00Z",
            "2026-03-29T24:01:00Z",
            "1700000000",
            "2026-03-29T00:00:00+99:00",
            "2026-03-29T00:00:00Z trailing",
            "2026-03-29T00:00:00+01:00[Europe/Paris]",
        ] {
            assert_eq!(Timestamp::parse(text), Err(NotATimestamp), "{text:?}");
        }
    }

    #[test]
    fn a_month_ends_where_the_next_begins() {
        let december = Month::of(Timestamp::parse("2026-12-31T23:59:59.999999Z").unwrap());
        assert_eq!(december.end().to_string(), "2027-01-01T00:00:00+00:00");
        assert_eq!(Month::of(december.end()).number(), december.number() + 1);
    }

    proptest! {
        #[test]
        fn what_is_written_can_be_read(micros in -30_000_000_000_000_000..200_000_000_000_000_000_i64) {
            let at = Timestamp::from_micros(micros);
            prop_assert_eq!(Timestamp::parse(&at.to_string()), Ok(at));
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Timestamp::parse(&text);
        }
    }
}
