//! Progress bars on stderr, for whoever waits at a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for that many steps of something, such as `meters`.
pub fn bar(steps: u64, doing: &'static str, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(steps).with_message(doing);
    let style =
        ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {unit}"));
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
