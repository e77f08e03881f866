//! The figures of reads as tables for people, one for each store.

use super::figures::{Asked, Finding, Made, Reads};
use crate::run::Measured;
use crate::table::{grouped, sentence};

/// The table of one store.
pub fn render(Measured { store, note, figures }: &Measured<Reads>) -> String {
    let mut text = format!("Reads on {store}, medians in ms\n\n");
    let (tenth, all) = (grouped(figures.tenth.devices), grouped(figures.all.devices));
    text.push_str(&line(["question", &tenth, &all, "p95", "growth", "aim"]));
    text.push('\n');
    for asked in &figures.questions {
        text.push_str(&row(asked));
        text.push('\n');
    }
    text.push('\n');
    for made in [&figures.tenth, &figures.all] {
        sentence(&mut text, store, &loading(made));
    }
    let wrong = figures.questions.iter().flat_map(|asked| [&asked.tenth, &asked.all]);
    for finding in wrong {
        if let Finding::Wrong(what) = finding {
            sentence(&mut text, store, &format!("WRONG ANSWER: {what}"));
        }
    }
    if let Some(note) = note {
        sentence(&mut text, "", &format!("note: {note}"));
    }
    text
}

/// The line of one question.
pub fn row(asked: &Asked) -> String {
    let median = |finding: &Finding| match finding.timing() {
        Some(timing) => format!("{:.2}", timing.median_ms),
        None => "WRONG".to_owned(),
    };
    let p95 = asked.all.timing().map(|timing| format!("{:.2}", timing.p95_ms));
    let growth = asked.growth().map(|growth| format!("{growth:.1}x"));
    let aim = asked.aim_ms.map(|aim| match asked.is_reached() {
        Some(true) => format!("{aim} ms, reached"),
        Some(false) => format!("{aim} ms, missed"),
        None => format!("{aim} ms"),
    });
    let [p95, growth, aim] = [p95, growth, aim].map(Option::unwrap_or_default);
    let (tenth, all) = (median(&asked.tenth), median(&asked.all));
    line([&asked.question, &tenth, &all, &p95, &growth, &aim])
}

/// A sentence about making a fleet.
pub fn loading(made: &Made) -> String {
    let Made { devices, readings, loading_seconds, bytes_per_reading } = made;
    let (devices, readings) = (grouped(*devices), grouped(*readings));
    format!(
        "{devices} devices, {readings} readings, loaded in {loading_seconds:.0} s, \
         {bytes_per_reading:.0} bytes a reading on the disk"
    )
}

fn line([question, tenth, all, p95, growth, aim]: [&str; 6]) -> String {
    let row = format!("{question:<32}{tenth:>10}{all:>10}{p95:>10}{growth:>9}   {aim}");
    row.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reads::figures::Timing;

    #[test]
    fn the_table_is_aligned_and_says_everything() {
        let timed =
            |median_ms| Finding::Timed(Timing { median_ms, p95_ms: 4.0 * median_ms, answers: 9 });
        let asked = |question: &str, all, aim_ms| Asked {
            question: question.into(),
            tenth: timed(0.5),
            all,
            aim_ms,
        };
        let made = |devices, bytes_per_reading| Made {
            devices,
            readings: devices * 200,
            loading_seconds: 12.3,
            bytes_per_reading,
        };
        let questions = vec![
            asked("page of 50 with consumption", timed(0.6), Some(1.0)),
            asked("  status=offline", timed(10.0), None),
            asked("statistics", timed(2.5), Some(2.0)),
            asked("billing", Finding::Wrong("GET /: status 500: ?".into()), Some(2.0)),
        ];
        let figures = Reads { tenth: made(10_000, 30.1), all: made(100_000, 24.4), questions };
        let text = render(&Measured { store: "sqlite", note: Some("on a slow disk"), figures });
        let expected = "\
Reads on sqlite, medians in ms

question                            10,000   100,000       p95   growth   aim
page of 50 with consumption           0.50      0.60      2.40     1.2x   1 ms, reached
  status=offline                      0.50     10.00     40.00    20.0x
statistics                            0.50      2.50     10.00     5.0x   2 ms, missed
billing                               0.50     WRONG                      2 ms

sqlite    10,000 devices, 2,000,000 readings, loaded in 12 s, 30 bytes a reading on the disk
sqlite    100,000 devices, 20,000,000 readings, loaded in 12 s, 24 bytes a reading on the disk
sqlite    WRONG ANSWER: GET /: status 500: ?
          note: on a slow disk
";
        assert_eq!(text, expected);
    }
}
