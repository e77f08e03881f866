//! The days of a report, as a table in three columns.

use weir_app::reports::DailyConsumption;

use super::ink::{Align, Colour, Pen};
use super::{FOOT, LEFT, RIGHT};
use crate::format::cubic_metres;

const COLUMNS: usize = 3;
const GAP: f32 = 20.0;
const ROW: f32 = 13.5;

/// How many rows fit below the chart, and on the pages after it.
const FIRST_ROWS: usize = 17;
const NEXT_ROWS: usize = 53;

/// Where the table begins on the pages after the first.
pub(super) const NEXT_TOP: f32 = 44.0;

/// The days of each page; there is always one.
pub(super) fn pages(days: &[DailyConsumption]) -> Vec<&[DailyConsumption]> {
    let (first, rest) = days.split_at(days.len().min(FIRST_ROWS * COLUMNS));
    let next = rest.chunks(NEXT_ROWS * COLUMNS);
    std::iter::once(first).chain(next).collect()
}

/// Draws the days of a page, filling its columns from the left and each evenly.
pub(super) fn draw(pen: &mut Pen<'_>, days: &[DailyConsumption], top: f32) {
    let width = (RIGHT - LEFT - GAP * (COLUMNS - 1) as f32) / COLUMNS as f32;
    let rows = days.len().div_ceil(COLUMNS).max(1);
    for (column, days) in days.chunks(rows).enumerate() {
        let left = LEFT + column as f32 * (width + GAP);
        let right = left + width;
        pen.text([left, top + 20.0], "Day", 7.5, true, Colour::Muted, Align::Left);
        pen.text([right, top + 20.0], "m³", 7.5, true, Colour::Muted, Align::Right);
        for (row, day) in days.iter().enumerate() {
            let y = top + 20.0 + (row + 1) as f32 * ROW;
            debug_assert!(y < FOOT - 14.0, "the rows of a page fit");
            pen.line([left, y - 9.5], [right, y - 9.5], Colour::Pale);
            let date = day.date.strftime("%-d %b %Y").to_string();
            pen.text([left, y], &date, 8.0, false, Colour::Ink, Align::Left);
            let (figure, colour) = match day.consumption {
                Some(volume) => (cubic_metres(volume), Colour::Ink),
                None => ("no reading".to_owned(), Colour::Muted),
            };
            pen.text([right, y], &figure, 8.0, false, colour, Align::Right);
        }
    }
}
