//! The figures as tables for people.

use std::fmt::Write;

pub use weir_testkit::faults::grouped;

use crate::goal::Goal;
use crate::run::Report;
use crate::{ingestion, pages, reads, size};

/// The report as lines of text.
pub fn render(report: &Report) -> String {
    let mut parts = vec![circumstances(report)];
    parts.extend(report.ingestion.iter().map(ingestion::table::render));
    if !report.size.is_empty() {
        parts.push(size::table::render(&report.size));
    }
    parts.extend(report.reads.iter().map(reads::table::render));
    parts.extend(report.pages.iter().map(pages::table::render));
    let mut text = parts.join("\n");
    for skipped in &report.skipped {
        sentence(&mut text, skipped.store, &format!("skipped: {}", skipped.reason));
    }
    text
}

fn circumstances(report: &Report) -> String {
    let mut text = format!("{} processors for everything", report.processors);
    if !report.ingestion.is_empty() {
        let (connections, devices) = (report.connections, grouped(report.devices.into()));
        let body = grouped(report.body_bytes as u64);
        let _ = write!(text, ", {connections} connections, {devices} devices, {body} bytes a body");
    }
    text.push('\n');
    text
}

/// A line about a figure and its target.
pub fn goal(name: &str, goal: Goal) -> String {
    format!("{name:<50}{:>10.3}   {goal}\n", goal.figure)
}

/// A line about a store, or more about the one before.
pub fn sentence(text: &mut String, store: &str, sentence: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{store:<10}{sentence}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Skipped;

    #[test]
    fn what_was_skipped_is_said() {
        let skipped = vec![Skipped { store: "postgres", reason: "none is here".into() }];
        let report = Report { processors: 2, skipped, ..Report::default() };
        let expected = "2 processors for everything\npostgres  skipped: none is here\n";
        assert_eq!(render(&report), expected);
    }
}
