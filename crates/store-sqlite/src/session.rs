//! A connection that runs transactions.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use weir_store::{Listeners, StoreError, StoreResult, Verdict};

use crate::connection::{self, Role};
use crate::error::classify;
use crate::gate::{Binding, Gate};
use crate::health::Trouble;
use crate::tx::Tx;

/// How often work that asks for it is run before it is given up.
const ATTEMPTS: usize = 20;

/// What all sessions of one store share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// The random word in the names of the gate views.
    pub word: u64,
    /// The random number by which the change log knows this process.
    pub origin: i64,
    /// Who hears of changes.
    pub listeners: Listeners,
}

impl Shared {
    /// Tells the listeners. One that panics ends neither the thread nor the work, which is committed.
    pub fn tell(&self, say: impl FnOnce(&Listeners)) {
        if panic::catch_unwind(AssertUnwindSafe(|| say(&self.listeners))).is_err() {
            tracing::error!("a listener panicked when it was told of a change");
        }
    }
}

/// One connection, its gate, and what it last saw.
pub(crate) struct Session {
    pub connection: Connection,
    pub gate: Gate,
    pub shared: Shared,
    trouble: Trouble,
    behavior: TransactionBehavior,
}

impl Session {
    /// Opens a session on a file whose schema is up to date.
    pub fn open(
        path: &Path,
        role: Role,
        shared: Shared,
        trouble: Trouble,
    ) -> rusqlite::Result<Self> {
        let mut connection = connection::open(path, role)?;
        let writes = role == Role::Writer;
        // Writers lock at once: one that reads first and locks later may find its state outdated.
        let behavior =
            if writes { TransactionBehavior::Immediate } else { TransactionBehavior::Deferred };
        let gate = Gate::install(&mut connection, shared.word, writes)?;
        Ok(Self { connection, gate, shared, trouble, behavior })
    }

    /// Runs work in a transaction, again where it asks for it, and carries out its verdict.
    pub fn transact(
        &self,
        binding: Binding,
        mut work: impl FnMut(&mut Tx<'_>) -> Verdict,
    ) -> StoreResult<()> {
        let outcome = (0..ATTEMPTS)
            .find_map(|_| self.attempt(binding, &mut work).transpose())
            .unwrap_or(Err(StoreError::Contended));
        self.gate.bind(Binding::Nobody);
        outcome.inspect_err(|error| self.trouble.note(error))
    }

    /// One attempt; nothing where the work wants another.
    fn attempt(
        &self,
        binding: Binding,
        work: &mut impl FnMut(&mut Tx<'_>) -> Verdict,
    ) -> StoreResult<Option<()>> {
        let failed = |error| classify(&error);
        // Rolls back when it is dropped.
        let guard = Transaction::new_unchecked(&self.connection, self.behavior).map_err(failed)?;
        self.gate.bind(binding);
        let mut tx = Tx::new(self);
        let verdict = panic::catch_unwind(AssertUnwindSafe(|| work(&mut tx)))
            .map_err(|panic| broken(&*panic))?;
        match verdict {
            Verdict::Again => return Ok(None),
            Verdict::RollBack => guard.finish().map_err(failed)?,
            Verdict::Commit => {
                let changes = tx.log_changes()?;
                guard.commit().map_err(failed)?;
                self.shared.tell(|listeners| {
                    changes.iter().for_each(|change| listeners.tell(change));
                });
            }
        }
        if !tx.has_failed() {
            self.trouble.clear();
        }
        Ok(Some(()))
    }

    /// Remembers a failure within a transaction.
    pub fn note(&self, error: &StoreError) {
        self.trouble.note(error);
    }
}

fn broken(panic: &(dyn std::any::Any + Send)) -> StoreError {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    tracing::error!(panic = text, "work in a transaction panicked; it was rolled back");
    StoreError::Broken(format!("the work panicked: {text}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use weir_store::{ApiKeyReads, ApiKeyWrites, Change, Listener, WriteTx};

    use super::*;
    use crate::property::{ACME, Property};

    #[test]
    fn trouble_lasts_until_the_next_success() {
        let property = Property::new();
        let (session, other) = (property.session(Role::Writer), property.session(Role::Writer));
        session.connection.busy_timeout(Duration::ZERO).unwrap();
        let blocked = other.transact(Binding::Reseller(ACME), |_| {
            let outcome = session.transact(Binding::Reseller(ACME), |_| Verdict::Commit);
            assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
            assert!(session.trouble.current().is_some());
            Verdict::RollBack
        });
        assert_eq!(blocked, Ok(()));
        assert_eq!(other.trouble.current(), None);
        session.transact(Binding::Reseller(ACME), |_| Verdict::Commit).unwrap();
        assert_eq!(session.trouble.current(), None);
    }

    #[test]
    fn nothing_is_kept_after_sqlite_itself_has_ended_the_transaction() {
        let property = Property::new();
        let before = property.everything();
        let session = property.session(Role::Writer);
        let outcome = session.transact(Binding::Reseller(ACME), |tx| {
            let mut keys = tx.api_keys().unwrap();
            session.connection.execute_batch("ROLLBACK").unwrap();
            let deleted = tx.api_key_delete(keys.remove(0).id);
            assert!(matches!(deleted, Err(StoreError::Unavailable(_))), "{deleted:?}");
            Verdict::Commit
        });
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
        assert_eq!(property.everything(), before);
        session.transact(Binding::Reseller(ACME), |_| Verdict::RollBack).unwrap();
    }

    #[test]
    fn a_listener_that_panics_undoes_nothing() {
        struct Nervous;

        impl Listener for Nervous {
            fn changed(&self, _: &Change) {
                panic!("on purpose")
            }

            fn missed(&self) {}
        }

        let property = Property::new();
        let session = property.session(Role::Writer);
        session.shared.listeners.add(Arc::new(Nervous));
        let announce = |tx: &mut Tx<'_>| {
            tx.announce(Change::Reseller(ACME)).unwrap();
            Verdict::Commit
        };
        assert_eq!(session.transact(Binding::Reseller(ACME), announce), Ok(()));
    }

    #[test]
    fn a_panic_rolls_back_and_leaves_the_session_unbound() {
        let property = Property::new();
        let before = property.everything();
        let session = property.session(Role::Writer);
        let outcome = session.transact(Binding::Reseller(ACME), |tx| {
            let mut keys = tx.api_keys().unwrap();
            tx.api_key_delete(keys.remove(0).id).unwrap();
            panic!("on purpose")
        });
        assert!(matches!(outcome, Err(StoreError::Broken(_))), "{outcome:?}");
        assert_eq!(property.everything(), before);
        assert!(session.connection.is_autocommit());
        assert!(session.connection.prepare("SELECT current_reseller()").is_err());
    }
}
