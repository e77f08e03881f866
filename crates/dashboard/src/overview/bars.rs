//! What the fleet consumed, day by day, as bars.

use weir_domain::Volume;
use weir_store::FleetDay;

use crate::format;

/// The picture's width and height, in its own units.
const WIDTH: i64 = 720;
const HEIGHT: i64 = 180;

/// A picture of days.
pub(super) struct Bars {
    pub width: i64,
    pub height: i64,
    pub bars: Vec<Bar>,
    pub first: String,
    pub last: String,
    pub total: String,
    /// Whether no day has anything to show.
    pub is_empty: bool,
}

/// A day of it.
pub(super) struct Bar {
    pub x: i64,
    pub y: i64,
    pub width: i64,
    pub height: i64,
    /// The day, what was consumed and by how many meters, in words.
    pub date: String,
    pub volume: String,
    pub meters: String,
}

impl Bars {
    /// The picture of these days, oldest first.
    pub(super) fn of(days: &[FleetDay]) -> Self {
        let millilitres = |day: &FleetDay| day.consumption.millilitres().max(0);
        let most = days.iter().map(millilitres).max().unwrap_or_default().max(1);
        let total = days.iter().fold(0_i64, |sum, day| sum.saturating_add(millilitres(day)));
        let step = WIDTH / (days.len() as i64).max(1);
        let bar = |(place, day): (usize, &FleetDay)| {
            // In wide numbers, for a consumption may be as large as numbers go.
            let height = i128::from(millilitres(day)) * i128::from(HEIGHT) / i128::from(most);
            let height = i64::try_from(height).unwrap_or(HEIGHT);
            Bar {
                x: place as i64 * step,
                y: HEIGHT - height,
                width: (step - 4).max(1),
                height,
                date: format::day(day.date),
                volume: format::volume(day.consumption),
                meters: format::number(day.meters),
            }
        };
        let end = |day: Option<&FleetDay>| day.map(|day| format::short_day(day.date));
        Self {
            width: WIDTH,
            height: HEIGHT,
            bars: days.iter().enumerate().map(bar).collect(),
            first: end(days.first()).unwrap_or_default(),
            last: end(days.last()).unwrap_or_default(),
            total: format::volume(Volume::from_millilitres(total)),
            is_empty: days.iter().all(|day| day.meters == 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn day(number: i8, millilitres: i64) -> FleetDay {
        let consumption = Volume::from_millilitres(millilitres);
        FleetDay { date: date(2026, 3, number), consumption, meters: 1 }
    }

    #[test]
    fn the_largest_day_fills_the_picture() {
        let bars = Bars::of(&[day(1, 0), day(2, 500_000), day(3, 1_000_000)]);
        let heights: Vec<i64> = bars.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [0, HEIGHT / 2, HEIGHT]);
        assert!(bars.bars.iter().all(|bar| bar.y + bar.height == HEIGHT));
        assert!(bars.bars.iter().all(|bar| bar.x + bar.width <= WIDTH));
        assert_eq!((bars.first.as_str(), bars.last.as_str()), ("1 Mar", "3 Mar"));
        assert_eq!(bars.total, "1.500 m³");
    }

    #[test]
    fn no_day_and_enormous_days_are_no_problem() {
        assert!(Bars::of(&[]).is_empty);
        let bars = Bars::of(&[day(1, i64::MAX), day(2, i64::MAX), day(3, -5)]);
        let heights: Vec<i64> = bars.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [HEIGHT, HEIGHT, 0]);
    }
}
