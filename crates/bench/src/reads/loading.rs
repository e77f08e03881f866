//! How a fleet gets into a store: through the ports, in big transactions, while no service runs.
//!
//! Registering 100,000 meters and posting 20 million uplinks would take hours; what is in the store
//! afterwards is the same.
//!
//! A database in earnest takes a look at its tables by itself now and then, and chooses its ways by
//! what it found. The one that is filled here has to be told to, whenever tables begin to be long.

mod devices;
mod people;
mod readings;

use std::sync::Arc;

use weir_app::credentials::{Keyring, Secret};
use weir_app::{Env, Ids};
use weir_domain::{CustomerId, DeviceId, DeviceKey, EndUserId, Timestamp};
use weir_store::{Db, Purpose, Scope};

use super::fleet::{Fleet, Meter};
use crate::failure::Failure;

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

/// A store that is being filled for one reseller.
struct Filling {
    db: Db,
    scope: Scope,
    ids: Arc<dyn Ids>,
    fleet: Fleet,
}

/// Ids of the customers and end users, by their numbers.
struct People {
    customers: Vec<CustomerId>,
    end_users: Vec<EndUserId>,
}

/// The devices, by the numbers of the meters.
struct Devices {
    ids: Vec<DeviceId>,
    keys: Vec<DeviceKey>,
}

/// Fills a store that knows the reseller and nothing else of it. `take_a_look` lets the database look
/// at its tables; how it goes is told line by line.
pub async fn load(
    db: &Db,
    scope: &Scope,
    fleet: Fleet,
    take_a_look: &impl AsyncFn() -> Result<(), Failure>,
    tell: &dyn Fn(&str),
) -> Result<Loaded, Failure> {
    let filling = Filling { db: db.clone(), scope: scope.clone(), ids: Env::system().ids, fleet };
    let people = filling.people().await?;
    tell(&format!("{} customers, {} end users", people.customers.len(), people.end_users.len()));
    take_a_look().await?;
    let devices = filling.devices(&people, take_a_look).await?;
    tell(&format!("{} devices", devices.ids.len()));
    filling.readings(&devices.keys, take_a_look, tell).await?;
    Ok(Loaded { fleet, customers: people.customers, devices: devices.ids })
}

/// What the key of the reseller opens.
pub async fn authenticate(db: &Db, api_key: &str) -> Result<Scope, Failure> {
    // The store keeps a secret since the key was made: this one is never taken.
    let kept = db.system(Purpose::Administer, |tx| tx.secret_keep(&[0; 32])).await?;
    let secret = Secret::new(&kept).map_err(|error| Failure::Key(error.to_string()))?;
    let caller = Keyring::new(db.clone(), secret).authenticate(api_key).await;
    Ok(caller.map_err(|error| Failure::Key(error.to_string()))?.scope.clone())
}

impl Filling {
    /// When everything began: before the first meter was registered.
    fn begun_at(&self) -> Timestamp {
        self.fleet.registered_at(Meter(0))
    }
}
