//! The benchmark of room: how many bytes on the disk a reading takes.
//!
//! Readings are written in the order in which they would arrive, by the settler's own transactions and
//! in batches of its size, so devices, finished days and whatever else follows from readings grow with
//! them. No service runs meanwhile.

mod arrivals;
pub mod figures;
pub mod table;
#[cfg(test)]
mod tests;

use std::time::Instant;

use weir_app::{Clock, Env, SystemClock};
use weir_domain::{DeviceKey, Month, SpoolId, Timestamp};
use weir_ingest::settle::{Numbered, settle};
use weir_store::{From, Purpose};

use crate::failure::Failure;
use crate::fleet::{Fleet, METERS};
use crate::plan;
use crate::registry::Registry;
use crate::stage::{Places, Stage};
use crate::store::Kind;
use crate::uplink::Tenant;
use arrivals::Arrivals;
use figures::Size;

/// How many uplinks the settler takes at once when many wait.
const BATCH: usize = 8_192;

/// How often it is told how far it is.
const STEPS: u64 = 10;

/// Measures a fresh store. How it goes is told line by line.
pub async fn measure(
    kind: Kind,
    places: &Places,
    plan: plan::Size,
    tell: &dyn Fn(&str),
) -> Result<(Option<&'static str>, Size), Failure> {
    let stage = Stage::set(kind, places).await?;
    let api_key = stage.program.create_reseller(Tenant::Right.name()).await?;
    let now = SystemClock.now();
    let fleet = Fleet { buildings: plan.devices / METERS, readings: plan.hours, now };
    let registry = Registry::open(&stage, &api_key, fleet).await?;
    let take_a_look = async || stage.store.take_a_look().await;
    let keys = registry.register(&take_a_look).await?.keys;
    registry.close().await?;
    stage.store.tidy().await?;
    let bytes_before = stage.store.size().await?;
    let registry = Registry::open(&stage, &api_key, fleet).await?;
    let begun = Instant::now();
    write(&registry, &keys, plan.hours, first_of_month(now), tell).await?;
    let writing_seconds = begun.elapsed().as_secs_f64();
    let is_found = is_found(&registry, &keys, plan.hours).await?;
    registry.close().await?;
    stage.store.tidy().await?;
    let size =
        Size::of(kind, plan, [bytes_before, stage.store.size().await?], writing_seconds, is_found);
    Ok((stage.store.note(), size))
}

/// Where readings begin: from this month on a store has made room for whole months ahead.
fn first_of_month(now: Timestamp) -> Timestamp {
    Month::from_number(Month::of(now).number() - 1).end()
}

/// Settles the readings of so many hours, as if they had come through a spool.
async fn write(
    registry: &Registry,
    keys: &[DeviceKey],
    hours: u32,
    since: Timestamp,
    tell: &dyn Fn(&str),
) -> Result<(), Failure> {
    let spool = SpoolId::from_uuid(Env::system().ids.next(since));
    let mut arrivals = Arrivals::new(registry.scope.reseller(), keys, hours, since);
    let (all, mut told) = (arrivals.len(), 0);
    loop {
        let batch: Vec<Numbered> = arrivals.by_ref().take(BATCH).collect();
        let Some(&(through, _)) = batch.last() else { return Ok(()) };
        let settling = move |tx: &mut dyn weir_store::SystemTx| {
            settle(tx, spool, &batch, &weir_store::Lanes::ALL, through)
        };
        registry.db.system(Purpose::Settle, settling).await?;
        if through * STEPS / all > told {
            told = through * STEPS / all;
            tell(&format!("readings: {} %", told * 100 / STEPS));
        }
    }
}

/// Whether some of the devices have all of their readings.
async fn is_found(registry: &Registry, keys: &[DeviceKey], hours: u32) -> Result<bool, Failure> {
    let some = [keys.first(), keys.get(keys.len() / 2), keys.last()];
    for key in some.into_iter().flatten().copied() {
        let from = From::Time(Timestamp::from_micros(0));
        let count = move |tx: &mut dyn weir_store::ReadTx| {
            tx.readings_page(key, from, hours.saturating_add(1)).map(|readings| readings.len())
        };
        if registry.db.read(&registry.scope, count).await? != hours as usize {
            return Ok(false);
        }
    }
    Ok(true)
}
