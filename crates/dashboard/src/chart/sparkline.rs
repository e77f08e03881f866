//! Small lines in lists.

use std::fmt::Write;

use weir_domain::Volume;

use super::short;

/// How wide a line is, in its own units.
pub const WIDTH: f64 = 96.0;
/// How high it is.
pub const HEIGHT: f64 = 24.0;

/// The points of a line through what flowed between cumulative values, oldest first; none where
/// fewer than two things flowed. A meter that was replaced did not flow backwards.
pub fn points(values: &[Volume]) -> Option<String> {
    let flows: Vec<f64> = values
        .windows(2)
        .map(|pair| (pair[1].cubic_metres() - pair[0].cubic_metres()).max(0.0))
        .collect();
    if flows.len() < 2 {
        return None;
    }
    let most = flows.iter().copied().fold(0.0, f64::max);
    let place = WIDTH / (flows.len() - 1) as f64;
    let mut points = String::new();
    for (number, flow) in flows.iter().enumerate() {
        // One unit above and below, so that the line is not cut.
        let share = if most > 0.0 { flow / most } else { 0.0 };
        let (x, y) = (short(place * number as f64), short(HEIGHT - 1.0 - (HEIGHT - 2.0) * share));
        let _ = write!(points, "{}{x},{y}", if number == 0 { "" } else { " " });
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(litres: &[i64]) -> Option<String> {
        let values: Vec<Volume> =
            litres.iter().map(|litres| Volume::from_millilitres(litres * 1_000)).collect();
        points(&values)
    }

    #[test]
    fn a_line_goes_through_what_flowed() {
        assert_eq!(line(&[0, 10, 10, 15]).unwrap(), "0,1 48,23 96,12");
    }

    #[test]
    fn nothing_and_a_new_meter_lie_at_the_bottom() {
        assert_eq!(line(&[7, 7, 7]).unwrap(), "0,23 96,23");
        assert_eq!(line(&[900, 1, 3]).unwrap(), "0,23 96,1");
    }

    #[test]
    fn there_is_no_line_through_one_point() {
        assert_eq!(line(&[]), None);
        assert_eq!(line(&[1, 2]), None);
    }
}
