//! A whole run: every store that was asked for, one after the other.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::cli::{Args, Benchmark, Plan};
use crate::failure::Failure;
use crate::figures::Ingestion;
use crate::reads::figures::Reads;
use crate::stage::{Places, Stage};
use crate::store::Kind;
use crate::uplink::Tenant;
use crate::{ingestion, output, reads, table};

/// Everything that a run found out.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// How many connections sent at the same time.
    pub connections: u32,
    /// How many meters there were.
    pub devices: u32,
    /// How long each half of a round lasted.
    pub seconds: u64,
    /// What was measured of ingestion.
    pub ingestion: Vec<Measured<Ingestion>>,
    /// What was measured of reads.
    pub reads: Vec<Measured<Reads>>,
    /// What was not.
    pub skipped: Vec<Skipped>,
}

/// The figures of one store.
#[derive(Debug, Serialize)]
pub struct Measured<Figures> {
    /// The store.
    pub store: &'static str,
    /// What one has to know to read them.
    pub note: Option<&'static str>,
    /// The figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// A store that could not be measured.
#[derive(Debug, Serialize)]
pub struct Skipped {
    /// The store.
    pub store: &'static str,
    /// Why not.
    pub reason: String,
}

/// Measures and prints; whether all answers were right and nothing was lost.
pub async fn run(args: &Args) -> Result<bool, Failure> {
    let plan = args.plan()?;
    let size = args.size()?;
    let places = Places::find(args)?;
    let mut report = Report {
        connections: plan.connections,
        devices: plan.devices,
        seconds: args.seconds,
        ..Report::default()
    };
    for kind in args.store.kinds() {
        if args.wants(Benchmark::Ingestion) {
            let measured = measure_ingestion(*kind, &places, &plan).await;
            report.ingestion.extend(unless_absent(*kind, measured, &mut report.skipped)?);
        }
        if args.wants(Benchmark::Reads) {
            output::note(&format!("measuring reads on {}", kind.name()));
            let measured = reads::measure(*kind, &places, size, &output::note).await;
            report.reads.extend(unless_absent(*kind, measured, &mut report.skipped)?);
        }
    }
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&table::render(&report))?;
    }
    if report.ingestion.is_empty() && report.reads.is_empty() {
        return Err(Failure::Nothing);
    }
    Ok(report.ingestion.iter().all(|measured| measured.figures.is_right())
        && report.reads.iter().all(|measured| measured.figures.is_right()))
}

async fn measure_ingestion(
    kind: Kind,
    places: &Places,
    plan: &Plan,
) -> Result<(Option<&'static str>, Ingestion), Failure> {
    let stage = Stage::set(kind, places).await?;
    output::note(&format!("measuring ingestion on {}", kind.name()));
    let service = stage.program.serve().await?;
    let endpoint = service.endpoint(stage.program.create_reseller(Tenant::Right.name()).await?);
    let figures = ingestion::measure(&endpoint, plan, a_day_ago(), &output::note).await?;
    service.stop().await?;
    Ok((stage.store.note(), figures))
}

/// The figures, unless this machine has no such store: that is said once, and is no failure.
fn unless_absent<Figures>(
    kind: Kind,
    measured: Result<(Option<&'static str>, Figures), Failure>,
    skipped: &mut Vec<Skipped>,
) -> Result<Option<Measured<Figures>>, Failure> {
    let store = kind.name();
    match measured {
        Ok((note, figures)) => Ok(Some(Measured { store, note, figures })),
        Err(Failure::NoStore(reason)) => {
            if skipped.iter().all(|known| known.store != store) {
                skipped.push(Skipped { store, reason });
            }
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Readings begin here: late enough to be of the present, early enough that a second more for each
/// does not run ahead of the service's clock by a day, past which it would replace their times.
fn a_day_ago() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the service under test goes by the real clock")]
    let now = Timestamp::now();
    now.saturating_sub(SignedDuration::from_hours(24)).unwrap_or(now)
}
