//! The keys of an issuer, kept.
//!
//! They are fetched when they are first needed. Once fetched, nothing that happens to their source takes
//! them away: they are asked for again when they are old, in the background, and when a token names a key
//! that is not among them, while its sender waits. However many wait, one asks.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use tokio::task::AbortHandle;
use weir_app::Clock;
use weir_domain::Timestamp;

use super::{Algorithm, Key, KeySet, KeySource, NoKeys};

/// How long it is until unknown names may ask the source again: anybody can make them up.
const PAUSE: Duration = Duration::from_secs(60);

/// The same where there are no keys at all yet: then nobody gets in, and a provider that is back is to be
/// noticed.
const PAUSE_AT_FIRST: Duration = Duration::from_secs(5);

/// The keys of an issuer were never fetched, and cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the keys of the token's issuer cannot be fetched")]
pub struct Unreachable;

/// The keys of one issuer.
#[derive(Clone)]
pub struct KeyCache(Arc<Inner>);

struct Inner {
    issuer: String,
    source: Arc<dyn KeySource>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The keys, and when they came.
    keys: Option<(KeySet, Timestamp)>,
    /// When they were last asked for.
    asked_at: Option<Timestamp>,
    /// When they were last asked for because of a name that was unknown.
    missed_at: Option<Timestamp>,
    flight: Option<Flight>,
    /// What was last wrong, so that it is said once.
    complaint: Option<String>,
}

/// Someone is asking. They go on when whoever made them ask hangs up.
struct Flight {
    task: AbortHandle,
    landed: Landed,
}

type Landed = Shared<BoxFuture<'static, ()>>;

impl KeyCache {
    /// The keys that a source has for an issuer.
    pub fn new(issuer: &str, source: Arc<dyn KeySource>, clock: Arc<dyn Clock>) -> Self {
        let (issuer, state) = (issuer.to_owned(), Mutex::default());
        Self(Arc::new(Inner { issuer, source, clock, state }))
    }

    /// The key that a token names.
    pub async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Option<Arc<Key>>, Unreachable> {
        self.refresh();
        // Whoever is asking already may have begun before the key was there.
        for _ in 0..2 {
            if let Some(key) = self.0.lock().find(id, algorithm) {
                return Ok(Some(key));
            }
            let Some((landed, is_own)) = self.miss() else { break };
            landed.await;
            if is_own {
                break;
            }
        }
        let state = self.0.lock();
        if state.keys.is_none() {
            return Err(Unreachable);
        }
        Ok(state.find(id, algorithm))
    }

    /// Asks for keys that are old, behind the back of whoever uses them.
    fn refresh(&self) {
        let now = self.0.clock.now();
        let mut state = self.0.lock();
        let Some((_, fetched_at)) = state.keys else { return };
        let is_old = !is_within(Some(fetched_at), self.0.source.max_age(), now);
        if is_old && !is_within(state.asked_at, PAUSE, now) && state.in_flight().is_none() {
            drop(self.ask(&mut state, now));
        }
    }

    /// What to wait for when a key is not there, and whether it was begun for that; none where it is too
    /// early to ask again.
    fn miss(&self) -> Option<(Landed, bool)> {
        let now = self.0.clock.now();
        let mut state = self.0.lock();
        if let Some(landed) = state.in_flight() {
            return Some((landed, false));
        }
        if state.keys.is_none() {
            let is_early = is_within(state.asked_at, PAUSE_AT_FIRST, now);
            return (!is_early).then(|| (self.ask(&mut state, now), true));
        }
        let is_early = is_within(state.missed_at, PAUSE, now);
        (!is_early).then(|| {
            state.missed_at = Some(now);
            (self.ask(&mut state, now), true)
        })
    }

    fn ask(&self, state: &mut State, now: Timestamp) -> Landed {
        let inner = self.0.clone();
        let task = tokio::spawn(async move { inner.learn(inner.source.fetch().await) });
        let handle = task.abort_handle();
        let landed = task.map(|_| ()).boxed().shared();
        state.asked_at = Some(now);
        state.flight = Some(Flight { task: handle, landed: landed.clone() });
        landed
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, fetched: Result<KeySet, NoKeys>) {
        let now = self.clock.now();
        let mut state = self.lock();
        let complaint = match fetched {
            // As good as no answer: nobody withdraws all keys on purpose.
            Ok(keys) if keys.is_empty() => Some("no key there can be used".to_owned()),
            Ok(keys) => {
                state.keys = Some((keys, now));
                None
            }
            Err(error) => Some(error.to_string()),
        };
        // A pause is counted from the end: an answer that was waited for in vain took as long as one.
        state.asked_at = Some(now);
        if let Some(complaint) = complaint.as_ref().filter(|_| complaint != state.complaint) {
            tracing::warn!(issuer = self.issuer, "cannot renew the keys of an issuer: {complaint}");
        }
        state.complaint = complaint;
    }
}

impl State {
    fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Option<Arc<Key>> {
        self.keys.as_ref().and_then(|(keys, _)| keys.find(id, algorithm))
    }

    fn in_flight(&self) -> Option<Landed> {
        let flight = self.flight.as_ref().filter(|flight| !flight.task.is_finished());
        flight.map(|flight| flight.landed.clone())
    }
}

/// Whether something happened within that time; what lies ahead did not happen: the clock was set back.
fn is_within(at: Option<Timestamp>, span: Duration, now: Timestamp) -> bool {
    at.is_some_and(|at| at <= now && now < at.plus(span))
}

impl fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyCache").field("issuer", &self.0.issuer).finish_non_exhaustive()
    }
}
