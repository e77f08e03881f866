//! The figures of ingestion as tables for people, one for each store.

use std::cmp::Ordering;

use super::figures::{Depths, Findings, Ingestion};
use crate::figures::Stretch;
use crate::goal::Goal;
use crate::run::Measured;
use crate::table::{goal, grouped, sentence};

/// The table of one store.
pub fn render(Measured { store, note, figures }: &Measured<Ingestion>) -> String {
    let mut text = format!("Ingestion on {store}\n\n");
    text.push_str(&line(["uplinks", "per second", "p50 ms", "p99 ms", "p99.9 ms", "client CPU"]));
    for (name, stretch) in stretches(figures) {
        text.push_str(&row(name, stretch));
    }
    text.push('\n');
    for (name, figure) in goals(figures) {
        text.push_str(&goal(name, figure));
    }
    text.push('\n');
    sentence(&mut text, store, &settling(figures));
    for remark in remarks(figures).into_iter().chain(note.map(|note| format!("note: {note}"))) {
        sentence(&mut text, "", &remark);
    }
    text
}

fn remarks(figures: &Ingestion) -> Vec<String> {
    let mut remarks = Vec::new();
    remarks.extend(figures.sustained.as_ref().map(|sustained| depths(&sustained.depths)));
    if let Some(paced) = &figures.paced {
        let due = grouped(paced.due_per_second.round() as u64);
        remarks.push(format!("paced: {due} a second were due; times count from then on"));
    }
    remarks.extend(findings(&figures.findings));
    remarks
}

fn stretches(figures: &Ingestion) -> Vec<(&'static str, &Stretch)> {
    let first = &figures.first_burst.acknowledged;
    let mut all = vec![("first burst after a start, devices not yet known", first)];
    if let Some(burst) = &figures.burst {
        all.push(("burst: refused (403)", &burst.refused));
        all.push(("burst: acknowledged (200)", &burst.acknowledged));
    }
    if let Some(sustained) = &figures.sustained {
        all.push(("sustained: refused (403) before", &sustained.refused[0]));
        all.push(("sustained: acknowledged (200)", &sustained.acknowledged));
        all.push(("sustained: refused (403) after", &sustained.refused[1]));
    }
    if let Some(paced) = &figures.paced {
        all.push(("paced: acknowledged (200)", &paced.acknowledged));
    }
    all
}

fn goals(figures: &Ingestion) -> Vec<(&'static str, Goal)> {
    let burst = figures.burst.as_ref().map(|it| ("burst: acknowledged to refused", it.ratio));
    let sustained =
        figures.sustained.as_ref().map(|it| ("sustained: acknowledged to refused", it.ratio));
    let paced = figures.paced.as_ref().map(|it| ("paced: p99 in ms", it.p99_ms));
    [burst, sustained, paced].into_iter().flatten().collect()
}

fn settling(figures: &Ingestion) -> String {
    let mut after = vec![format!("{:.2} s (first burst)", figures.first_burst.settling_seconds)];
    after.extend(figures.burst.as_ref().map(|it| format!("{:.2} s (burst)", it.settling_seconds)));
    let sustained = figures.sustained.as_ref();
    after.extend(sustained.map(|it| format!("{:.2} s (sustained)", it.settling_seconds)));
    format!("settled {} after the last answer", after.join(", "))
}

fn depths(depths: &Depths) -> String {
    let Depths { quarter, half, three_quarters, end, .. } = *depths;
    let [quarter, half, three_quarters, end] = [quarter, half, three_quarters, end].map(grouped);
    let verdict = if depths.is_flat { "flat" } else { "RISING, settling does not keep up" };
    format!(
        "sustained: left to settle {quarter} at 1/4, {half} at 1/2, {three_quarters} at 3/4, {end} \
         at the end: {verdict}"
    )
}

fn findings(findings: &Findings) -> Vec<String> {
    let (acknowledged, counted) = (findings.acknowledged_uplinks, findings.counted_messages);
    let outcome = match counted.cmp(&acknowledged) {
        Ordering::Less => "LOST SOME",
        Ordering::Equal => "nothing lost",
        Ordering::Greater => "COUNTED TOO MANY",
    };
    let (acknowledged, counted) = (grouped(acknowledged), grouped(counted));
    let mut said = vec![format!("{acknowledged} acknowledged, {counted} counted: {outcome}")];
    let others = findings.other_answers.iter();
    said.extend(
        others.map(|(status, count)| {
            format!("WRONG ANSWERS: {} of status {status}", grouped(*count))
        }),
    );
    said
}

fn row(name: &str, stretch: &Stretch) -> String {
    let [p50, p99, p999] =
        [stretch.p50_ms, stretch.p99_ms, stretch.p999_ms].map(|it| format!("{it:.1}"));
    let client = format!("{:.0} %", stretch.client_processors * 100.0);
    line([name, &grouped(stretch.per_second.round() as u64), &p50, &p99, &p999, &client])
}

fn line([name, rate, p50, p99, p999, client]: [&str; 6]) -> String {
    format!("{name:<50}{rate:>10}{p50:>9}{p99:>9}{p999:>10}{client:>12}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingestion::figures::{Burst, Bursts, Paced, Round, Sustained};
    use crate::store::Kind;

    fn stretch(per_second: f64) -> Stretch {
        let (p50_ms, p99_ms, p999_ms) = (5.04, 12.0, 31.26);
        Stretch { per_second, p50_ms, p99_ms, p999_ms, client_processors: 0.424 }
    }

    fn measured(counted: u64) -> Measured<Ingestion> {
        let burst = Burst { acknowledged: stretch(9_042.0), seconds: 9.0, settling_seconds: 0.5 };
        let refused = stretch(45_210.4);
        let depths = Depths::of(vec![0, 8_192, 4_000, 9_000]);
        let sustained = Sustained::of(Kind::Sqlite, [refused; 2], stretch(30_000.0), depths, 0.25);
        let findings = Findings {
            acknowledged_uplinks: 1_234_567,
            counted_messages: counted,
            other_answers: [].into(),
        };
        let figures = Ingestion {
            first_burst: burst,
            burst: Some(Bursts::of(vec![Round { refused, burst }])),
            sustained: Some(sustained),
            paced: Some(Paced::of(15_000.0, stretch(15_000.0))),
            findings,
        };
        Measured { store: "sqlite", note: Some("on a slow disk"), figures }
    }

    #[test]
    fn the_table_is_aligned_and_says_everything() {
        let expected = "\
Ingestion on sqlite

uplinks                                           per second   p50 ms   p99 ms  p99.9 ms  client CPU
first burst after a start, devices not yet known       9,042      5.0     12.0      31.3        42 %
burst: refused (403)                                  45,210      5.0     12.0      31.3        42 %
burst: acknowledged (200)                              9,042      5.0     12.0      31.3        42 %
sustained: refused (403) before                       45,210      5.0     12.0      31.3        42 %
sustained: acknowledged (200)                         30,000      5.0     12.0      31.3        42 %
sustained: refused (403) after                        45,210      5.0     12.0      31.3        42 %
paced: acknowledged (200)                             15,000      5.0     12.0      31.3        42 %

burst: acknowledged to refused                         0.200   at least 0.7, missed
sustained: acknowledged to refused                     0.664   at least 0.6, reached
paced: p99 in ms                                      12.000   at most 30, reached

sqlite    settled 0.50 s (first burst), 0.50 s (burst), 0.25 s (sustained) after the last answer
          sustained: left to settle 0 at 1/4, 8,192 at 1/2, 4,000 at 3/4, 9,000 at the end: flat
          paced: 15,000 a second were due; times count from then on
          1,234,567 acknowledged, 1,234,567 counted: nothing lost
          note: on a slow disk
";
        assert_eq!(render(&measured(1_234_567)), expected);
    }

    #[test]
    fn what_went_wrong_is_loud() {
        assert!(render(&measured(1_234_566)).contains("1,234,566 counted: LOST SOME"));
        assert!(render(&measured(1_234_568)).contains("COUNTED TOO MANY"));
        let mut wrong = measured(1_234_567);
        wrong.figures.findings.other_answers.insert(503, 1_000);
        wrong.figures.sustained.as_mut().unwrap().depths = Depths::of(vec![0, 1, 2, 3]);
        let text = render(&wrong);
        assert!(text.contains("WRONG ANSWERS: 1,000 of status 503"), "{text}");
        assert!(text.contains("3 at the end: RISING"), "{text}");
    }

    #[test]
    fn parts_that_were_not_measured_are_left_out() {
        let mut some = measured(1_234_567);
        (some.figures.burst, some.figures.sustained) = (None, None);
        let text = render(&some);
        assert!(!text.contains("refused") && !text.contains("sustained"), "{text}");
        assert!(text.contains("settled 0.50 s (first burst) after"), "{text}");
    }
}
