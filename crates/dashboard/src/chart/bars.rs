//! Bars, one for each day.

use super::scale::Scale;
use super::short;

/// How wide the drawing is, in its own units.
pub const WIDTH: f64 = 720.0;
/// How high it is.
pub const HEIGHT: f64 = 240.0;

const LEFT: f64 = 52.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 216.0;
/// How much of its place a bar fills.
const FILLED: f64 = 0.8;
/// About how many dates stand below the bars.
const DATES: usize = 6;

/// A day that is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// What stands below it.
    pub date: String,
    /// What is said about it, in a sentence.
    pub label: String,
    /// How high its bar is; none where nothing was read.
    pub value: Option<f64>,
    /// Whether the meter was replaced.
    pub is_reset: bool,
}

/// A day as it is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Its left end.
    pub x: f64,
    /// Its upper end.
    pub y: f64,
    /// How high it is.
    pub height: f64,
    /// Its middle.
    pub middle: f64,
    /// What is said about it.
    pub label: String,
    /// Whether nothing was read.
    pub is_offline: bool,
    /// Whether the meter was replaced.
    pub is_reset: bool,
}

/// A number on an axis, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where.
    pub at: f64,
    /// What stands there.
    pub text: String,
}

/// Days as bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The bars, oldest first.
    pub bars: Vec<Bar>,
    /// How wide each is.
    pub bar_width: f64,
    /// The numbers of the upright axis, with the lines that go with them.
    pub values: Vec<Mark>,
    /// Some dates.
    pub dates: Vec<Mark>,
}

impl Chart {
    /// Draws days, oldest first.
    pub fn of(days: Vec<Day>) -> Self {
        let scale = Scale::reaching(days.iter().filter_map(|day| day.value).fold(0.0, f64::max));
        let height = |value: f64| (BOTTOM - TOP) * value / scale.top();
        let place = (WIDTH - LEFT) / days.len().max(1) as f64;
        let every = days.len().div_ceil(DATES).max(1);
        let left = |number: usize| LEFT + place * number as f64;
        let values = scale.marks().map(|value| Mark {
            at: short(BOTTOM - height(value)),
            text: format!("{value:.*}", scale.decimals()),
        });
        let dates = days.iter().enumerate().step_by(every).map(|(number, day)| Mark {
            at: short(left(number) + place / 2.0),
            text: day.date.clone(),
        });
        let (values, dates) = (values.collect(), dates.collect());
        let bars = days.into_iter().enumerate().map(|(number, day)| {
            // A day without readings is a place that is shaded from top to bottom.
            let high = day.value.map_or(BOTTOM - TOP, height);
            Bar {
                x: short(left(number) + place * (1.0 - FILLED) / 2.0),
                y: short(BOTTOM - high),
                height: short(high),
                middle: short(left(number) + place / 2.0),
                label: day.label,
                is_offline: day.value.is_none(),
                is_reset: day.is_reset,
            }
        });
        Self { bars: bars.collect(), bar_width: short(place * FILLED), values, dates }
    }

    /// Where the upright axis stands.
    pub fn left(&self) -> f64 {
        LEFT
    }

    /// How wide the drawing is.
    pub fn width(&self) -> f64 {
        WIDTH
    }

    /// How high the drawing is.
    pub fn height(&self) -> f64 {
        HEIGHT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(value: Option<f64>) -> Day {
        Day { date: "1 Mar".into(), label: "1 March".into(), value, is_reset: false }
    }

    #[test]
    fn bars_are_as_high_as_their_values() {
        let chart = Chart::of(vec![day(Some(4.0)), day(Some(1.0)), day(None), day(Some(0.0))]);
        let heights: Vec<f64> = chart.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [202.0, 50.5, 202.0, 0.0]);
        assert!(chart.bars[2].is_offline && !chart.bars[3].is_offline);
        assert_eq!(chart.values.first().unwrap().at, BOTTOM);
        assert_eq!(chart.values.last().unwrap(), &Mark { at: TOP, text: "4".into() });
    }

    #[test]
    fn a_year_has_few_dates_and_stays_inside() {
        let chart = Chart::of(vec![day(Some(1.0)); 365]);
        assert!((5..=7).contains(&chart.dates.len()));
        let last = chart.bars.last().unwrap();
        assert!(last.x + chart.bar_width <= WIDTH, "{last:?}");
    }

    #[test]
    fn no_days_are_an_empty_chart() {
        let chart = Chart::of(Vec::new());
        assert!(chart.bars.is_empty() && chart.dates.is_empty());
    }
}
