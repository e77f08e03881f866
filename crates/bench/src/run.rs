//! A whole run: every store that was asked for, one after the other.

use std::time::Duration;

use serde::Serialize;
use weir_app::{Clock, SystemClock};

use crate::cli::Args;
use crate::failure::Failure;
use crate::fleet::{Fleet, METERS};
use crate::ingestion::figures::Ingestion;
use crate::pages::figures::Pages;
use crate::plan::{self, Plan};
use crate::reads::figures::Reads;
use crate::registry::Registry;
use crate::size::figures::Size;
use crate::stage::{Places, Stage};
use crate::store::Kind;
use crate::uplink::{Tenant, body_size};
use crate::{ingestion, output, pages, processors, reads, size, table};

/// Readings begin so long ago: late enough to be of the present, early enough that an hour more for
/// each time that every meter reports does not run ahead of the service's clock by a day, past which
/// it would replace their times.
const A_WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Everything that a run found out.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// How many processors client, service and database shared.
    pub processors: u32,
    /// How many connections sent at the same time.
    pub connections: u32,
    /// How many meters there were that sent.
    pub devices: u32,
    /// How long every body was.
    pub body_bytes: usize,
    /// What was measured of ingestion.
    pub ingestion: Vec<Measured<Ingestion>>,
    /// What was measured of the room that readings take.
    pub size: Vec<Measured<Size>>,
    /// What was measured of reads.
    pub reads: Vec<Measured<Reads>>,
    /// What was measured of pages.
    pub pages: Vec<Measured<Pages>>,
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
    let places = Places::find(args)?;
    let mut report = Report {
        processors: processors::share(args.processors)?,
        connections: args.connections,
        devices: args.devices,
        body_bytes: body_size(),
        ..Report::default()
    };
    for kind in args.store.kinds() {
        report.measure(*kind, &places, &plan).await?;
    }
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&table::render(&report))?;
    }
    if report.is_empty() {
        return Err(Failure::Nothing);
    }
    Ok(report.is_right())
}

impl Report {
    async fn measure(&mut self, kind: Kind, places: &Places, plan: &Plan) -> Result<(), Failure> {
        let begin = |what: &str| output::note(&format!("measuring {what} on {}", kind.name()));
        if let Some(plan) = &plan.ingestion {
            begin("ingestion");
            let measured = measure_ingestion(kind, places, plan).await;
            self.ingestion.extend(unless_absent(kind, measured, &mut self.skipped)?);
        }
        if let Some(plan) = plan.size {
            begin("the size of readings");
            let measured = size::measure(kind, places, plan, &output::note).await;
            self.size.extend(unless_absent(kind, measured, &mut self.skipped)?);
        }
        if let Some(plan) = plan.reads {
            begin("reads");
            let measured = reads::measure(kind, places, plan, &output::note).await;
            self.reads.extend(unless_absent(kind, measured, &mut self.skipped)?);
        }
        if plan.pages {
            begin("pages");
            let measured = pages::measure(kind, places).await;
            self.pages.extend(unless_absent(kind, measured, &mut self.skipped)?);
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        let of_pages = self.pages.is_empty();
        of_pages && self.ingestion.is_empty() && self.size.is_empty() && self.reads.is_empty()
    }

    fn is_right(&self) -> bool {
        self.ingestion.iter().all(|measured| measured.figures.findings.are_right())
            && self.size.iter().all(|measured| measured.figures.is_found)
            && self.reads.iter().all(|measured| measured.figures.is_right())
    }
}

async fn measure_ingestion(
    kind: Kind,
    places: &Places,
    plan: &plan::Ingestion,
) -> Result<(Option<&'static str>, Ingestion), Failure> {
    let stage = Stage::set(kind, places).await?;
    let api_key = stage.program.create_reseller(Tenant::Right.name()).await?;
    let now = SystemClock.now();
    let fleet = Fleet { buildings: plan.devices / METERS, readings: 0, now };
    let registry = Registry::open(&stage, &api_key, fleet).await?;
    registry.register(&async || stage.store.take_a_look().await).await?;
    registry.close().await?;
    stage.store.tidy().await?;
    output::note(&format!("{} devices are in the store", plan.devices));
    let service = stage.program.serve().await?;
    let endpoint = service.endpoint(api_key);
    let since = now.minus(A_WEEK);
    let figures = ingestion::measure(&endpoint, plan, kind, since, &output::note).await?;
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
