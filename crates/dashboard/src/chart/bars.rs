//! Bars, one for each day. Each tells its value to whoever points at it, or walks along by keyboard.

use askama::Template;

use super::scale::Scale;
use super::short;
use crate::text::chart as text;

/// How wide the drawing is, in its own units.
const WIDTH: f64 = 720.0;
/// How high it is.
const HEIGHT: f64 = 222.0;

const LEFT: f64 = 52.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 194.0;
/// How much of its place a bar fills.
const FILLED: f64 = 0.8;
/// About how many dates stand below the bars.
const DATES: usize = 6;

/// A day that is to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Day {
    /// What stands below it.
    pub date: String,
    /// What is said about it, in words.
    pub label: String,
    /// How high its bar is; none where nothing was read.
    pub value: Option<f64>,
    /// Whether the meter was replaced.
    pub is_reset: bool,
}

/// A day as it is drawn.
#[derive(Debug, Clone, PartialEq)]
struct Bar {
    x: f64,
    y: f64,
    height: f64,
    middle: f64,
    label: String,
    is_offline: bool,
    is_reset: bool,
}

/// A number on an axis, and where it stands.
#[derive(Debug, Clone, PartialEq)]
struct Mark {
    at: f64,
    text: String,
}

/// Days as bars. It is its own template: a page writes it where it belongs, unescaped, and takes
/// `chart.css` and `chart.js` along.
#[derive(Debug, Clone, PartialEq, Template)]
#[template(path = "chart.html")]
pub struct Chart {
    /// What it shows, in a sentence for those who do not see it.
    label: String,
    /// What one has to know to read it.
    caption: String,
    /// Oldest first.
    bars: Vec<Bar>,
    bar_width: f64,
    /// The numbers of the upright axis, with the lines that go with them.
    values: Vec<Mark>,
    /// Some dates.
    dates: Vec<Mark>,
}

impl Chart {
    /// Draws days, oldest first.
    pub fn of(days: Vec<Day>, label: String, caption: String) -> Self {
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
        let (bars, bar_width) = (bars.collect(), short(place * FILLED));
        Self { label, caption, bars, bar_width, values, dates }
    }

    /// Whether there are days that the legend has to explain.
    fn has_offline(&self) -> bool {
        self.bars.iter().any(|bar| bar.is_offline)
    }

    fn has_reset(&self) -> bool {
        self.bars.iter().any(|bar| bar.is_reset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(value: Option<f64>) -> Day {
        Day { date: "1 Mar".into(), label: "1 March".into(), value, is_reset: false }
    }

    fn chart(days: Vec<Day>) -> Chart {
        Chart::of(days, "Four days.".into(), "Days of <UTC>.".into())
    }

    #[test]
    fn bars_are_as_high_as_their_values() {
        let chart = chart(vec![day(Some(4.0)), day(Some(1.0)), day(None), day(Some(0.0))]);
        let heights: Vec<f64> = chart.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [180.0, 45.0, 180.0, 0.0]);
        assert!(chart.bars[2].is_offline && !chart.bars[3].is_offline);
        assert_eq!(chart.values.first().unwrap().at, BOTTOM);
        assert_eq!(chart.values.last().unwrap(), &Mark { at: TOP, text: "4".into() });
    }

    #[test]
    fn a_year_has_few_dates_and_stays_inside() {
        let chart = chart(vec![day(Some(1.0)); 365]);
        assert!((5..=7).contains(&chart.dates.len()));
        let last = chart.bars.last().unwrap();
        assert!(last.x + chart.bar_width <= WIDTH, "{last:?}");
    }

    #[test]
    fn no_days_are_an_empty_chart() {
        let chart = chart(Vec::new());
        assert!(chart.bars.is_empty() && chart.dates.is_empty());
    }

    #[test]
    fn the_legend_explains_what_there_is() {
        let drawn = |days| chart(days).render().unwrap();
        let plain = drawn(vec![day(Some(1.0))]);
        assert!(!plain.contains(text::OFFLINE) && !plain.contains(text::RESET), "{plain}");
        assert!(plain.contains("Days of &#60;UTC&#62;."), "{plain}");
        let odd = drawn(vec![day(None), Day { is_reset: true, ..day(Some(1.0)) }]);
        assert!(odd.contains(text::OFFLINE) && odd.contains(text::RESET), "{odd}");
    }
}
