//! Consumption over time, as bars.

use jiff::civil::Date;
use weir_app::reports::DailyConsumption;

use super::ink::{Align, Colour, Pen};
use super::{LEFT, RIGHT};

const HEIGHT: f32 = 130.0;
const AXIS: f32 = LEFT + 40.0;

/// How many bars can be told apart; beyond that a bar is a month.
const MOST_DAYS: usize = 400;

/// One bar.
struct Bar {
    date: Date,
    litres: Option<f32>,
}

/// Draws it below a point, and says where it ends.
pub(super) fn draw(pen: &mut Pen<'_>, days: &[DailyConsumption], below: f32) -> f32 {
    let bars = bars(days);
    let is_monthly = days.len() > MOST_DAYS;
    let title = if is_monthly { "Consumption per month" } else { "Consumption per day" };
    pen.text([LEFT, below + 32.0], title, 11.0, true, Colour::Ink, Align::Left);
    let most = bars.iter().filter_map(|bar| bar.litres).fold(0.0, f32::max);
    let (step, unit, per_unit) = scale(most);
    pen.text([RIGHT, below + 32.0], unit, 8.0, false, Colour::Muted, Align::Right);

    let (top, bottom) = (below + 48.0, below + 48.0 + HEIGHT);
    let highest = (most / step).ceil().max(1.0) * step;
    let y_of = |litres: f32| bottom - litres / highest * HEIGHT;
    let mut tick = 0.0;
    while tick <= highest + step / 2.0 {
        let y = y_of(tick);
        pen.line([AXIS, y], [RIGHT, y], if tick == 0.0 { Colour::Muted } else { Colour::Pale });
        let label = format!("{}", tick / per_unit);
        pen.text([AXIS - 6.0, y + 2.5], &label, 7.5, false, Colour::Muted, Align::Right);
        tick += step;
    }
    let slot = (RIGHT - AXIS) / bars.len().max(1) as f32;
    let width = (slot * 0.72).min(26.0);
    for (at, bar) in bars.iter().enumerate() {
        let middle = AXIS + (at as f32 + 0.5) * slot;
        match bar.litres {
            Some(litres) => {
                let y = y_of(litres);
                pen.rectangle([middle - width / 2.0, y], [width, bottom - y], Colour::Water);
            }
            // A day without readings has a ground instead of a bar.
            None => pen.rectangle([middle - width / 2.0, bottom - 3.0], [width, 3.0], Colour::Pale),
        }
    }
    let form = if bars.len() > 200 || is_monthly { "%b %Y" } else { "%-d %b" };
    let every = bars.len().div_ceil(8).max(1);
    for (at, bar) in bars.iter().enumerate().step_by(every) {
        let middle = AXIS + (at as f32 + 0.5) * slot;
        let label = bar.date.strftime(form).to_string();
        pen.text([middle, top + HEIGHT + 13.0], &label, 7.5, false, Colour::Muted, Align::Middle);
    }
    bottom + 20.0
}

fn bars(days: &[DailyConsumption]) -> Vec<Bar> {
    // A picture, not a figure: here, and only here, a volume may be a fraction.
    let litres = |day: &DailyConsumption| day.consumption.map(|volume| volume.litres() as f32);
    if days.len() <= MOST_DAYS {
        return days.iter().map(|day| Bar { date: day.date, litres: litres(day) }).collect();
    }
    let mut months: Vec<Bar> = Vec::new();
    for day in days {
        let first = day.date.first_of_month();
        match months.last_mut().filter(|month| month.date == first) {
            None => months.push(Bar { date: first, litres: litres(day) }),
            Some(month) => {
                if let Some(more) = litres(day) {
                    month.litres = Some(month.litres.unwrap_or(0.0) + more);
                }
            }
        }
    }
    months
}

/// The step between lines in litres, the name of the unit, and its litres.
fn scale(most: f32) -> (f32, &'static str, f32) {
    let (unit, per_unit) = if most >= 10_000.0 { ("m³", 1_000.0) } else { ("litres", 1.0) };
    let rough = (most / 4.0).max(per_unit);
    let power = 10_f32.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough);
    (factor.unwrap_or(10.0) * power, unit, per_unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::facts;

    #[test]
    fn four_steps_or_so_reach_the_highest_bar() {
        for most in [0.0, 0.4, 3.0, 120.0, 999.0, 12_345.0, 1e9, 1e12] {
            let (step, _, per_unit) = scale(most);
            assert!(step * 4.0 >= most && step >= per_unit, "{most}: {step}");
            assert!(most < 10.0 || step < most, "{most}: {step}");
        }
    }

    #[test]
    fn many_days_are_months() {
        let few = bars(&facts(400).days);
        assert_eq!(few.len(), 400);
        let facts = facts(800);
        let many = bars(&facts.days);
        assert_eq!(many.len(), 27);
        let sum: f32 = many.iter().filter_map(|bar| bar.litres).sum();
        assert!((f64::from(sum) - facts.total.litres()).abs() < 1.0);
    }
}
