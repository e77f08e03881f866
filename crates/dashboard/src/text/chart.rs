//! Charts of daily consumption.

/// How a chart is read by keyboard, for those who do not see it.
pub const HINT: &str = "Arrow keys walk from day to day.";
/// The unit of the upright axis, in the place where a day is told.
pub const UNIT: &str = "m³ a day.";
/// How it is told, where scripts run.
pub const HOW: &str = "Point at a day, or walk with the arrow keys.";
/// What shaded days mean.
pub const OFFLINE: &str = "no readings";
/// What marked days mean.
pub const RESET: &str = "meter replaced";

/// What was consumed on a day.
pub fn consumed_on(day: &str, volume: &str) -> String {
    format!("{day}: {volume}")
}

/// A day without readings.
pub fn offline_on(day: &str) -> String {
    format!("{day}: {OFFLINE}")
}

/// A day on which the meter was replaced.
pub fn reset_on(day: &str, volume: &str) -> String {
    format!("{day}: {volume}, {RESET}")
}
