//! Charts as inline SVG: where everything goes is computed here, templates draw it.

pub mod bars;
mod scale;
pub mod sparkline;

/// A coordinate, short enough to be written a thousand times.
fn short(coordinate: f64) -> f64 {
    (coordinate * 10.0).round() / 10.0
}
