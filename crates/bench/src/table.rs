//! The figures as a table for people.

use std::fmt::Write;

use crate::figures::{Ingestion, Stretch};
use crate::reads;
use crate::run::{Measured, Report};

/// The report as lines of text.
pub fn render(report: &Report) -> String {
    let mut parts = Vec::new();
    if !report.ingestion.is_empty() {
        parts.push(ingestion(report));
    }
    parts.extend(report.reads.iter().map(reads::table::render));
    let mut text = parts.join("\n");
    for skipped in &report.skipped {
        sentence(&mut text, skipped.store, &format!("skipped: {}", skipped.reason));
    }
    text
}

fn ingestion(report: &Report) -> String {
    let mut text = format!(
        "Ingestion, {} connections, {} devices, {} s a stretch, medians of the rounds\n\n",
        report.connections, report.devices, report.seconds
    );
    let cells = ["store", "answers", "per second", "p50 ms", "p99 ms", "client CPU"];
    line(&mut text, cells.map(str::to_owned));
    for measured in &report.ingestion {
        line(&mut text, row(measured.store, "refused (403)", &measured.figures.refused));
        line(&mut text, row("", "acknowledged (200)", &measured.figures.acknowledged));
    }
    text.push('\n');
    for measured in &report.ingestion {
        say(&mut text, measured);
    }
    text
}

fn row(store: &str, answers: &str, stretch: &Stretch) -> [String; 6] {
    [
        store.to_owned(),
        answers.to_owned(),
        grouped(stretch.per_second.round() as u64),
        format!("{:.1}", stretch.p50_ms),
        format!("{:.1}", stretch.p99_ms),
        format!("{:.0} %", stretch.client_processors * 100.0),
    ]
}

fn say(text: &mut String, Measured { store, note, figures }: &Measured<Ingestion>) {
    let Ingestion { ratio, target, rounds, settling_seconds, .. } = figures;
    let verdict = if ratio >= target { "reached" } else { "missed" };
    let (acknowledged, counted) = (figures.acknowledged_uplinks, figures.counted_messages);
    sentence(
        text,
        store,
        &format!(
            "ratio {ratio:.3} over {} rounds (target: at least {target}, {verdict})",
            rounds.len()
        ),
    );
    sentence(text, "", &format!("settled {settling_seconds:.2} s after the last answer"));
    let outcome = match counted.cmp(&acknowledged) {
        std::cmp::Ordering::Less => "LOST SOME",
        std::cmp::Ordering::Equal => "nothing lost",
        std::cmp::Ordering::Greater => "COUNTED TOO MANY",
    };
    let (acknowledged, counted) = (grouped(acknowledged), grouped(counted));
    sentence(text, "", &format!("{acknowledged} acknowledged, {counted} counted: {outcome}"));
    for (status, count) in &figures.other_answers {
        sentence(text, "", &format!("WRONG ANSWERS: {} of status {status}", grouped(*count)));
    }
    if let Some(note) = note {
        sentence(text, "", &format!("note: {note}"));
    }
}

fn line(text: &mut String, [store, answers, rate, p50, p99, client]: [String; 6]) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{store:<10}{answers:<20}{rate:>11}{p50:>10}{p99:>10}{client:>12}");
}

/// A line about a store, or more about the one before.
pub fn sentence(text: &mut String, store: &str, sentence: &str) {
    let _ = writeln!(text, "{store:<10}{sentence}");
}

/// A number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Round;
    use crate::run::Skipped;

    fn report(counted: u64) -> Report {
        let stretch = |per_second| Stretch {
            per_second,
            p50_ms: 5.04,
            p99_ms: 12.0,
            client_processors: 0.424,
        };
        let round = Round {
            refused: stretch(45_210.4),
            acknowledged: stretch(9_042.0),
            settling_seconds: 0.5,
        };
        let mut figures = Ingestion::of(vec![round]);
        (figures.acknowledged_uplinks, figures.counted_messages) = (1_234_567, counted);
        let measured = Measured { store: "sqlite", note: Some("on a slow disk"), figures };
        let skipped = Skipped { store: "postgres", reason: "none is here".into() };
        Report {
            connections: 256,
            devices: 2_000,
            seconds: 4,
            ingestion: vec![measured],
            reads: Vec::new(),
            skipped: vec![skipped],
        }
    }

    #[test]
    fn the_table_is_aligned_and_says_everything() {
        let expected = "\
Ingestion, 256 connections, 2000 devices, 4 s a stretch, medians of the rounds

store     answers              per second    p50 ms    p99 ms  client CPU
sqlite    refused (403)            45,210       5.0      12.0        42 %
          acknowledged (200)        9,042       5.0      12.0        42 %

sqlite    ratio 0.200 over 1 rounds (target: at least 0.5, missed)
          settled 0.50 s after the last answer
          1,234,567 acknowledged, 1,234,567 counted: nothing lost
          note: on a slow disk
postgres  skipped: none is here
";
        assert_eq!(render(&report(1_234_567)), expected);
    }

    #[test]
    fn what_went_wrong_is_loud() {
        assert!(render(&report(1_234_566)).contains("1,234,566 counted: LOST SOME"));
        assert!(render(&report(1_234_568)).contains("COUNTED TOO MANY"));
        let mut wrong = report(1_234_567);
        wrong.ingestion[0].figures.other_answers.insert(503, 1_000);
        assert!(render(&wrong).contains("WRONG ANSWERS: 1,000 of status 503"));
    }
}
