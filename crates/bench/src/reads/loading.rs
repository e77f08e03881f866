//! How a fleet and its past get into a store: as devices do, for posting 20 million uplinks would take
//! hours.

use tokio::task::JoinSet;
use weir_domain::{CustomerId, DeviceId, DeviceKey, Timestamp};
use weir_ingest::days;
use weir_store::{DeviceState, StoreError, StoreResult, WriteTx};

use super::water;
use crate::failure::Failure;
use crate::fleet::{Fleet, Meter};
use crate::registry::{Registered, Registry};

/// How many devices one transaction fills.
const AT_ONCE: usize = 100;

/// How many transactions run at the same time, where the store lets them: enough for the processors
/// of a small machine.
const ABREAST: usize = 3;

/// How often it is told how far it is.
const STEPS: usize = 10;

/// A fleet that is in a store.
#[derive(Debug)]
pub struct Loaded {
    /// The fleet.
    pub fleet: Fleet,
    /// Its customers, by number.
    pub customers: Vec<CustomerId>,
    /// Its devices, by the numbers of the meters.
    pub devices: Vec<DeviceId>,
}

impl Loaded {
    /// The id of a meter's device.
    pub fn device(&self, meter: Meter) -> DeviceId {
        self.devices[meter.0 as usize]
    }

    /// How many readings there are.
    pub fn readings(&self) -> u64 {
        self.fleet.meters().map(|meter| u64::from(self.fleet.readings_of(meter))).sum()
    }
}

/// Fills a store that knows the reseller and nothing else of it. `take_a_look` lets the database look
/// at its tables; how it goes is told line by line.
pub async fn load(
    registry: &Registry,
    take_a_look: &impl AsyncFn() -> Result<(), Failure>,
    tell: &dyn Fn(&str),
) -> Result<Loaded, Failure> {
    let Registered { customers, devices, keys } = registry.register(take_a_look).await?;
    tell(&format!("{} customers, {} devices", customers.len(), devices.len()));
    registry.readings(&keys, take_a_look, tell).await?;
    Ok(Loaded { fleet: registry.fleet, customers, devices })
}

impl Registry {
    /// Gives every device its readings, what is known of it after them, and its finished days.
    async fn readings(
        &self,
        keys: &[DeviceKey],
        take_a_look: &impl AsyncFn() -> Result<(), Failure>,
        tell: &dyn Fn(&str),
    ) -> Result<(), Failure> {
        let meters: Vec<(Meter, DeviceKey)> =
            self.fleet.meters().zip(keys.iter().copied()).collect();
        let parts: Vec<_> = meters.chunks(AT_ONCE).collect();
        let mut running = JoinSet::new();
        for (number, part) in parts.iter().enumerate() {
            if running.len() == ABREAST {
                ended(running.join_next().await)?;
            }
            let (db, scope, fleet, part) =
                (self.db.clone(), self.scope.clone(), self.fleet, part.to_vec());
            running.spawn(async move { db.write(&scope, move |tx| fill(tx, &fleet, &part)).await });
            let (before, after) =
                (number * STEPS / parts.len(), (number + 1) * STEPS / parts.len());
            if number == ABREAST {
                take_a_look().await?;
            }
            if after > before {
                tell(&format!("readings: {} %", after * 100 / STEPS));
            }
        }
        while let Some(outcome) = running.join_next().await {
            ended(Some(outcome))?;
        }
        Ok(())
    }
}

fn ended(
    outcome: Option<Result<Result<(), StoreError>, tokio::task::JoinError>>,
) -> Result<(), Failure> {
    outcome.transpose()?.transpose()?;
    Ok(())
}

/// Stores the past of some devices, their finished days too.
fn fill(tx: &mut dyn WriteTx, fleet: &Fleet, meters: &[(Meter, DeviceKey)]) -> StoreResult<()> {
    let (mut readings, mut states) = (Vec::new(), Vec::with_capacity(meters.len()));
    for (meter, key) in meters {
        let own = water::readings(fleet, *meter);
        states.push(water::state(fleet, *meter, *key, &own));
        readings.extend(own.into_iter().map(|reading| (*key, reading)));
    }
    tx.readings_append(&readings)?;
    loop {
        let before = kept_until(&states);
        days::keep(tx, &mut states)?;
        if kept_until(&states) == before {
            return tx.device_states_store(&states);
        }
    }
}

fn kept_until(states: &[DeviceState]) -> Vec<Option<Timestamp>> {
    states.iter().map(|state| state.days_until).collect()
}
