//! A whole run: every store that was asked for, one after the other.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::cli::{Args, Plan};
use crate::failure::Failure;
use crate::figures::Ingestion;
use crate::program::Program;
use crate::store::Kind;
use crate::uplink::Tenant;
use crate::{ingestion, output, table};

/// Everything that a run found out.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// How many connections sent at the same time.
    pub connections: u32,
    /// How many meters there were.
    pub devices: u32,
    /// How long each half of a round lasted.
    pub seconds: u64,
    /// What was measured.
    pub ingestion: Vec<Measured>,
    /// What was not.
    pub skipped: Vec<Skipped>,
}

/// The figures of one store.
#[derive(Debug, Serialize)]
pub struct Measured {
    /// The store.
    pub store: &'static str,
    /// What one has to know to read them.
    pub note: Option<&'static str>,
    /// The figures.
    #[serde(flatten)]
    pub figures: Ingestion,
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
    let (weir, dir) = places(args)?;
    let mut report = Report {
        connections: plan.connections,
        devices: plan.devices,
        seconds: args.seconds,
        ..Report::default()
    };
    for kind in args.store.kinds() {
        measure(*kind, &weir, &dir, &plan, &mut report).await?;
    }
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&table::render(&report))?;
    }
    if report.ingestion.is_empty() {
        return Err(Failure::Nothing);
    }
    Ok(report.ingestion.iter().all(|measured| measured.figures.is_right()))
}

async fn measure(
    kind: Kind,
    weir: &Path,
    dir: &Path,
    plan: &Plan,
    report: &mut Report,
) -> Result<(), Failure> {
    let no_dir = |error| Failure::io(format!("nothing can be written in {dir:?}"), error);
    let home = tempfile::tempdir_in(dir).map_err(no_dir)?;
    let store = match kind.prepare(home.path()).await {
        Ok(store) => store,
        Err(reason) => {
            report.skipped.push(Skipped { store: kind.name(), reason });
            return Ok(());
        }
    };
    output::note(&format!("measuring on {}", kind.name()));
    let dir = home.path().to_owned();
    let program = Program { path: weir.to_owned(), dir, database: store.url.clone() };
    program.migrate().await?;
    let service = program.serve().await?;
    let endpoint = service.endpoint(program.create_reseller(Tenant::Right.name()).await?);
    let figures = ingestion::measure(&endpoint, plan, a_day_ago(), &output::note).await?;
    service.stop().await?;
    report.ingestion.push(Measured { store: kind.name(), note: store.note, figures });
    Ok(())
}

/// The program to measure, and the directory to write in. Beside this program is the one that was
/// built with it, and the directory above is cargo's, on a disk that builds are good enough for.
fn places(args: &Args) -> Result<(PathBuf, PathBuf), Failure> {
    let this = std::env::current_exe()
        .map_err(|error| Failure::io("this program does not know where it is", error))?;
    let weir = args.weir.clone().unwrap_or_else(|| this.with_file_name("weir"));
    let weir = weir.canonicalize().map_err(|_| Failure::NoProgram(weir))?;
    let target = this.ancestors().nth(2).unwrap_or(Path::new("."));
    let dir = args.dir.clone().unwrap_or_else(|| target.join("bench"));
    std::fs::create_dir_all(&dir)
        .and_then(|()| Ok((weir, dir.canonicalize()?)))
        .map_err(|error| Failure::io(format!("there is no directory {dir:?}"), error))
}

/// Readings begin here: late enough to be of the present, early enough that a second more for each
/// does not run ahead of the service's clock by a day, past which it would replace their times.
fn a_day_ago() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the service under test goes by the real clock")]
    let now = Timestamp::now();
    now.saturating_sub(SignedDuration::from_hours(24)).unwrap_or(now)
}
