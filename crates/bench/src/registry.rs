//! How devices get into a store: through the ports, in big transactions, while no service runs.
//!
//! Registering 100,000 meters one by one would take its time; what is in the store afterwards is the
//! same.
//!
//! A database in earnest takes a look at its tables by itself now and then, and chooses its ways by
//! what it found. The one that is filled here has to be told to, whenever tables begin to be long.

mod devices;
mod people;

use std::sync::Arc;

use weir_app::credentials::{Keyring, Secret};
use weir_app::{Env, Ids};
use weir_domain::{CustomerId, DeviceId, DeviceKey, EndUserId, Timestamp};
use weir_store::{Db, Purpose, Scope};

use crate::failure::Failure;
use crate::fleet::{Fleet, Meter};
use crate::stage::Stage;

/// A store that is being filled for one reseller.
pub struct Registry {
    /// The store.
    pub db: Db,
    /// The reseller.
    pub scope: Scope,
    /// What it is filled with.
    pub fleet: Fleet,
    ids: Arc<dyn Ids>,
}

/// What was put in, by numbers.
#[derive(Debug)]
pub struct Registered {
    /// The customers.
    pub customers: Vec<CustomerId>,
    /// The devices of the meters.
    pub devices: Vec<DeviceId>,
    /// Their keys.
    pub keys: Vec<DeviceKey>,
}

/// Ids of the customers and end users, by their numbers.
struct People {
    customers: Vec<CustomerId>,
    end_users: Vec<EndUserId>,
}

impl Registry {
    /// For a store that knows the reseller and nothing else of it.
    pub fn new(db: Db, scope: Scope, fleet: Fleet) -> Self {
        Self { db, scope, fleet, ids: Env::system().ids }
    }

    /// The same for the store of a stage, and the reseller of that key.
    pub async fn open(stage: &Stage, api_key: &str, fleet: Fleet) -> Result<Self, Failure> {
        let db = stage.store.open().await?;
        let scope = authenticate(&db, api_key).await?;
        Ok(Self::new(db, scope, fleet))
    }

    /// Puts in the customers, the end users and the devices. `take_a_look` lets the database look at
    /// its tables.
    pub async fn register(
        &self,
        take_a_look: &impl AsyncFn() -> Result<(), Failure>,
    ) -> Result<Registered, Failure> {
        let people = self.people().await?;
        take_a_look().await?;
        let (devices, keys) = self.devices(&people, take_a_look).await?;
        Ok(Registered { customers: people.customers, devices, keys })
    }

    /// Ends all work on the store.
    pub async fn close(self) -> Result<(), Failure> {
        Ok(tokio::task::spawn_blocking(move || self.db.close()).await?)
    }

    /// When everything began: before the first meter was registered.
    fn begun_at(&self) -> Timestamp {
        self.fleet.registered_at(Meter(0))
    }
}

/// What the key of the reseller opens.
async fn authenticate(db: &Db, api_key: &str) -> Result<Scope, Failure> {
    // The store keeps a secret since the key was made: this one is never taken.
    let kept = db.system(Purpose::Administer, |tx| tx.secret_keep(&[0; 32])).await?;
    let secret = Secret::new(&kept).map_err(|error| Failure::Key(error.to_string()))?;
    let caller = Keyring::new(db.clone(), secret).authenticate(api_key).await;
    Ok(caller.map_err(|error| Failure::Key(error.to_string()))?.scope.clone())
}
