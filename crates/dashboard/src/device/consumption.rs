//! What a device consumed, as a chart and as a table.

use weir_app::devices::ConsumptionPerDay;
use weir_domain::Volume;
use weir_domain::consumption::Day;

use crate::chart::bars::{self, Chart};
use crate::format;
use crate::text::{chart, device as text};

/// The field of a query that chooses a span.
pub const DAYS: &str = "days";

/// The spans that can be chosen.
pub const SPANS: [u16; 4] = [7, 30, 90, 365];
/// The one that is shown where none is chosen.
pub const USUAL: u16 = 30;

/// A span to choose.
pub struct Span {
    /// How many days.
    pub count: u16,
    /// As it is read.
    pub text: String,
    /// Whether it is the one that is shown.
    pub is_shown: bool,
}

/// A day of the table.
pub struct Line {
    /// The day.
    pub date: String,
    /// What was consumed.
    pub consumed: String,
    /// The value at its end.
    pub value: String,
    /// What is remarkable.
    pub remark: &'static str,
}

/// Everything about the days that are shown.
pub struct Consumption {
    /// The spans that can be chosen.
    pub spans: Vec<Span>,
    /// The drawing.
    pub chart: Chart,
    /// What the days come to.
    pub figures: Vec<(&'static str, String)>,
    /// The days, newest first.
    pub days: Vec<Line>,
    /// Whether anything was read.
    pub has_readings: bool,
    /// The last day, as fields have it.
    pub today: String,
}

/// The span that an address asks for.
pub fn span(asked: Option<&str>) -> u16 {
    let asked = asked.and_then(|days| days.parse().ok());
    asked.filter(|days| SPANS.contains(days)).unwrap_or(USUAL)
}

impl Consumption {
    /// Shows days.
    pub fn of(consumed: &ConsumptionPerDay, span: u16) -> Self {
        let summary = &consumed.summary;
        let total = format::volume(summary.total);
        let volume = |volume: Option<Volume>| volume.map(format::volume).unwrap_or_default();
        Self {
            spans: SPANS
                .map(|count| Span { count, text: text::last_days(count), is_shown: count == span })
                .into(),
            chart: Chart::of(
                consumed.days.iter().map(drawn).collect(),
                text::chart(span, &total),
                text::days_of(consumed.calendar.name()),
            ),
            figures: vec![
                (text::TOTAL, total),
                (text::AVERAGE, volume(summary.average)),
                (text::MAXIMUM, volume(summary.max)),
                (text::OFFLINE_DAYS, summary.offline_days.to_string()),
            ],
            days: consumed.days.iter().rev().map(line).collect(),
            has_readings: summary.days_with_data > 0,
            today: consumed.days.last().map(|day| day.date.to_string()).unwrap_or_default(),
        }
    }
}

fn drawn(day: &Day) -> bars::Day {
    let date = format::day(day.date);
    let volume = day.consumption.map(format::volume);
    let label = match (&volume, day.is_reset) {
        (None, _) => chart::offline_on(&date),
        (Some(volume), false) => chart::consumed_on(&date, volume),
        (Some(volume), true) => chart::reset_on(&date, volume),
    };
    bars::Day {
        date: format::short_day(day.date),
        label,
        value: day.consumption.map(Volume::cubic_metres),
        is_reset: day.is_reset,
    }
}

fn line(day: &Day) -> Line {
    Line {
        date: day.date.to_string(),
        consumed: day.consumption.map(format::volume).unwrap_or_default(),
        value: day.last_reading.map(format::volume).unwrap_or_default(),
        remark: match (day.is_offline(), day.is_reset) {
            (true, _) => text::OFFLINE,
            (false, true) => text::RESET,
            (false, false) => "",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_spans_are_shown() {
        assert_eq!(span(Some("365")), 365);
        for asked in [None, Some(""), Some("8"), Some("100000"), Some("-7")] {
            assert_eq!(span(asked), USUAL);
        }
    }
}
