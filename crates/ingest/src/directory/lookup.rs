//! Asking the store for devices that are not known yet, many at once.
//!
//! After a start nobody is known, and a fleet that reports on the hour comes all at once: asked for one
//! by one, its devices would be found at a tenth of the rate at which they send.

use std::collections::hash_map::{Entry, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use weir_domain::{Device, Eui, ResellerId};
use weir_store::{Db, ReadTx, Scope, StoreError, StoreResult};

/// How many are asked for at once.
const AT_ONCE: usize = 1_000;

type Found = Result<Option<Device>, StoreError>;

/// Questions for devices. While one lot of a reseller's is being answered, the next gathers.
pub(super) struct Lookups {
    db: Db,
    /// A reseller is here for as long as someone sees to its questions.
    waiting: Mutex<HashMap<ResellerId, Vec<Question>>>,
}

struct Question {
    eui: Eui,
    answer: oneshot::Sender<Found>,
}

impl Lookups {
    /// Nobody asks yet.
    pub(super) fn new(db: Db) -> Arc<Self> {
        Arc::new(Self { db, waiting: Mutex::default() })
    }

    /// The reseller's device that goes by an EUI: the live one, else the one deleted last. The store
    /// is asked after the call.
    pub(super) async fn find(self: &Arc<Self>, scope: &Scope, eui: Eui) -> Found {
        let (answer, found) = oneshot::channel();
        let question = Question { eui, answer };
        let is_first = match self.waiting().entry(scope.reseller()) {
            Entry::Occupied(mut others) => {
                others.get_mut().push(question);
                false
            }
            Entry::Vacant(nobody) => {
                nobody.insert(vec![question]);
                true
            }
        };
        if is_first {
            // In a task of its own: whoever asked first may hang up before the others have answers.
            tokio::spawn(self.clone().answer_all(scope.clone()));
        }
        let gone = |_| Err(StoreError::Unavailable("ingestion is shutting down".into()));
        found.await.unwrap_or_else(gone)
    }

    async fn answer_all(self: Arc<Self>, scope: Scope) {
        while let Some(questions) = self.next_lot(scope.reseller()) {
            let euis: Vec<Eui> = questions.iter().map(|question| question.eui).collect();
            let found = self.db.read(&scope, move |tx| by_euis(tx, &euis)).await;
            for Question { eui, answer } in questions {
                let device = found.as_ref().map(|devices| devices.get(&eui.bits()).cloned());
                let _ = answer.send(device.map_err(Clone::clone));
            }
        }
    }

    /// The next questions; none where there are none, and then nobody sees to this reseller any more.
    fn next_lot(&self, reseller: ResellerId) -> Option<Vec<Question>> {
        let mut waiting = self.waiting();
        let questions = waiting.get_mut(&reseller).filter(|questions| !questions.is_empty());
        let Some(questions) = questions else {
            waiting.remove(&reseller);
            return None;
        };
        Some(questions.drain(..questions.len().min(AT_ONCE)).collect())
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<ResellerId, Vec<Question>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn by_euis(tx: &mut dyn ReadTx, euis: &[Eui]) -> StoreResult<HashMap<u64, Device>> {
    let live = tx.devices_live_by_euis(euis)?;
    let mut found: HashMap<u64, Device> =
        live.into_iter().map(|device| (device.dev_eui.bits(), device)).collect();
    for eui in euis {
        if !found.contains_key(&eui.bits())
            && let Some(device) = tx.device_last_deleted_by_eui(*eui)?
        {
            found.insert(eui.bits(), device);
        }
    }
    Ok(found)
}
