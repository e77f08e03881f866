//! The benchmark of reads: what the pages of a big reseller ask for, and how it grows with the data.
//!
//! A tenth of the fleet is made in one fresh store and all of it in another, and a service started on
//! each. Both are asked the same, one right after the other, so that whatever else the machine does
//! hits both alike. What does not grow from the one to the other will not grow with the next ten times
//! either.
//!
//! | looking for | module |
//! |---|---|
//! | what is made | [`fleet`](crate::fleet), [`water`] |
//! | how it gets into the store | [`registry`](crate::registry), [`loading`] |
//! | what is asked, and what the answers have to be | [`questions`], [`expected`] |
//! | how it is timed | [`asking`] |
//! | what comes out of it | [`figures`], [`table`] |

mod asking;
mod expected;
pub mod figures;
mod loading;
mod questions;
pub mod table;
#[cfg(test)]
mod tests;
mod water;

use std::time::Instant;

use weir_app::{Clock, SystemClock};

use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::fleet::{Fleet, METERS};
use crate::plan;
use crate::program::Service;
use crate::registry::Registry;
use crate::stage::{Places, Stage};
use crate::store::Kind;
use crate::uplink::Tenant;
use figures::{Asked, Made, Reads};
use loading::Loaded;

/// Measures a store with a tenth of the fleet and with all of it. How it goes is told line by line.
pub async fn measure(
    kind: Kind,
    places: &Places,
    size: plan::Reads,
    tell: &dyn Fn(&str),
) -> Result<(Option<&'static str>, Reads), Failure> {
    let tenth = plan::Reads { devices: size.devices / 10, ..size };
    let tenth = Subject::make(kind, places, tenth, tell).await?;
    let all = Subject::make(kind, places, size, tell).await?;
    let mut questions = Vec::new();
    for (of_tenth, of_all) in questions::all(&tenth.loaded).iter().zip(questions::all(&all.loaded))
    {
        let asked = Asked {
            question: of_all.name.clone(),
            tenth: asking::ask(&tenth.endpoint, of_tenth).await?,
            all: asking::ask(&all.endpoint, &of_all).await?,
            aim_ms: of_all.aim.map(|aim| aim.on(kind)),
        };
        tell(&table::row(&asked));
        questions.push(asked);
    }
    let reads = Reads { tenth: tenth.made, all: all.made, questions };
    let note = all.stage.store.note();
    for subject in [tenth, all] {
        subject.service.stop().await?;
    }
    Ok((note, reads))
}

/// A fleet, and a service that knows it. They go in this order.
struct Subject {
    made: Made,
    loaded: Loaded,
    endpoint: Endpoint,
    service: Service,
    stage: Stage,
}

impl Subject {
    async fn make(
        kind: Kind,
        places: &Places,
        size: plan::Reads,
        tell: &dyn Fn(&str),
    ) -> Result<Self, Failure> {
        let stage = Stage::set(kind, places).await?;
        let api_key = stage.program.create_reseller(Tenant::Right.name()).await?;
        let begun = Instant::now();
        let loaded = fill(&stage, size, &api_key, tell).await?;
        let readings = loaded.readings();
        let made = Made {
            devices: size.devices.into(),
            readings,
            loading_seconds: begun.elapsed().as_secs_f64(),
            bytes_per_reading: stage.store.size().await? as f64 / readings as f64,
        };
        tell(&table::loading(&made));
        let service = stage.program.serve().await?;
        let endpoint = service.endpoint(api_key);
        Ok(Self { made, loaded, endpoint, service, stage })
    }
}

async fn fill(
    stage: &Stage,
    size: plan::Reads,
    api_key: &str,
    tell: &dyn Fn(&str),
) -> Result<Loaded, Failure> {
    let now = SystemClock.now();
    let fleet = Fleet { buildings: size.devices / METERS, readings: size.readings, now };
    let registry = Registry::open(stage, api_key, fleet).await?;
    let take_a_look = async || stage.store.take_a_look().await;
    let loaded = loading::load(&registry, &take_a_look, tell).await?;
    registry.close().await?;
    stage.store.tidy().await?;
    Ok(loaded)
}
