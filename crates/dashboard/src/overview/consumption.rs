//! What the fleet consumed, day by day, as a chart and as a table.

use weir_domain::Volume;
use weir_store::FleetDay;

use crate::chart::bars::{self, Chart};
use crate::format;
use crate::text::{chart, overview as text};

/// Everything about the days that are shown.
pub(super) struct Consumption {
    pub chart: Chart,
    pub total: String,
    /// Oldest first.
    pub days: Vec<Line>,
    /// Whether no day has anything to show.
    pub is_empty: bool,
}

/// A day of the table.
pub(super) struct Line {
    pub date: String,
    pub volume: String,
    pub meters: String,
}

impl Consumption {
    /// Shows days, oldest first.
    pub(super) fn of(days: &[FleetDay]) -> Self {
        let millilitres = days.iter().map(|day| day.consumption.millilitres().max(0));
        let total = Volume::from_millilitres(millilitres.fold(0, i64::saturating_add));
        let total = format::volume(total);
        Self {
            chart: Chart::of(
                days.iter().map(drawn).collect(),
                text::chart(&total),
                text::CONSUMPTION_HINT.to_owned(),
            ),
            total,
            days: days.iter().map(line).collect(),
            is_empty: days.iter().all(|day| day.meters == 0),
        }
    }
}

/// A day without a single meter is one without readings.
fn drawn(day: &FleetDay) -> bars::Day {
    let date = format::day(day.date);
    let consumed = (day.meters > 0).then_some(day.consumption);
    bars::Day {
        date: format::short_day(day.date),
        label: match consumed.map(format::volume) {
            Some(volume) => chart::consumed_on(&date, &volume),
            None => chart::offline_on(&date),
        },
        value: consumed.map(Volume::cubic_metres),
        is_reset: false,
    }
}

fn line(day: &FleetDay) -> Line {
    Line {
        date: format::day(day.date),
        volume: format::volume(day.consumption),
        meters: format::number(day.meters),
    }
}

#[cfg(test)]
mod tests {
    use askama::Template;
    use jiff::civil::date;

    use super::*;

    fn day(number: i8, millilitres: i64) -> FleetDay {
        let consumption = Volume::from_millilitres(millilitres);
        FleetDay { date: date(2026, 3, number), consumption, meters: 1 }
    }

    #[test]
    fn days_are_told_and_added_up() {
        let silent = FleetDay { meters: 0, ..day(2, 0) };
        let shown = Consumption::of(&[day(1, 500_000), silent, day(3, 1_000_000)]);
        assert_eq!((shown.total.as_str(), shown.is_empty), ("1.500 m³", false));
        let chart = shown.chart.render().unwrap();
        for told in ["1 Mar 2026: 0.500 m³", "2 Mar 2026: no readings", "3 Mar 2026: 1.000 m³"] {
            assert!(chart.contains(told), "{told}: {chart}");
        }
    }

    #[test]
    fn no_day_and_enormous_days_are_no_problem() {
        assert!(Consumption::of(&[]).is_empty);
        let shown = Consumption::of(&[day(1, i64::MAX), day(2, i64::MAX), day(3, -5)]);
        assert_eq!(shown.total, "9,223,372,036,854.776 m³");
        assert!(!shown.chart.render().unwrap().contains("NaN"));
    }
}
