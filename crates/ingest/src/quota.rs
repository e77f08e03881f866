//! The monthly quota as one node spends it.
//!
//! A node holds a lease on part of what is left, recorded in the store under its spool, and spends it
//! in memory. A request is counted where it is reserved, just before the spool, and given back when
//! the spool does not take it; so the count is exact under concurrency, and nobody is refused for a
//! request that fails anyway. What is settled moves from the lease to what is used in the settler's
//! transaction, so it is exact across crashes too.
//!
//! While the store is away, a node borrows from what it last knew to be left. The store is told of the
//! debt before anything else is leased to this node, and before what was borrowed is settled.
//!
//! A lease is also what keeps a reseller from being deleted under its uplinks: see `closing`.

mod account;
mod book;
mod closing;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use weir_domain::{Month, ResellerId, SpoolId};
use weir_store::{Change, Db, Listener, Purpose, Scope, StoreError};

use account::Account;
pub use account::{Reservation, Visit};
use book::{Lease, Terms};
use closing::Mark;

/// How long a request waits for a store that says nothing, before it counts as away. Longer than
/// elsewhere on an uplink's way, for a store that is merely slow is not to be overdrawn; still short
/// enough that the network servers, who wait 5 seconds, get their answer.
const SILENCE: Duration = Duration::from_secs(2);

/// What a reseller has left, for the rate-limit headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// How many requests the month may hold.
    pub limit: i64,
    /// How many are left, as far as this node knows.
    pub remaining: i64,
    /// The month.
    pub month: Month,
}

/// Why a request cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoQuota {
    /// The month is used up.
    #[error("The monthly quota of {} requests is used up.", .0.limit)]
    UsedUp(Standing),
    /// The store is needed to tell, and is away.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The quota accounts of all resellers that this node has heard from.
pub struct Quota {
    db: Db,
    spool: SpoolId,
    accounts: RwLock<HashMap<ResellerId, Arc<Account>>>,
    /// Resellers that changed, and may be closing.
    changed: Mutex<HashSet<ResellerId>>,
    /// Resellers whose leases are to end, and what that waits for.
    closing: Mutex<HashMap<ResellerId, Option<Mark>>>,
    /// Resellers for whom more was spent than the store knows of.
    debtors: Mutex<HashSet<ResellerId>>,
    /// Whether leases are still asked for; whoever asks for one holds it.
    open: tokio::sync::RwLock<bool>,
}

impl Quota {
    /// The accounts of the node with that spool; changes of resellers are listened to.
    pub fn new(db: Db, spool: SpoolId) -> Arc<Self> {
        let quota = Arc::new(Self {
            db,
            spool,
            accounts: RwLock::default(),
            changed: Mutex::default(),
            closing: Mutex::default(),
            debtors: Mutex::default(),
            open: tokio::sync::RwLock::new(true),
        });
        quota.db.listen(quota.clone());
        quota
    }

    /// Lets a request in if the month has room for one more. While it is inside, the store knows of
    /// this node's lease, so that the reseller cannot be deleted under its uplinks.
    pub async fn admit(self: &Arc<Self>, scope: &Scope, month: Month) -> Result<Visit, NoQuota> {
        let visit = self.enter(scope.reseller());
        self.spend(&visit, scope, month, 0).await?;
        Ok(visit)
    }

    /// Counts a request that was let in.
    pub async fn reserve(
        self: &Arc<Self>,
        visit: &Visit,
        scope: &Scope,
        month: Month,
    ) -> Result<Reservation, NoQuota> {
        self.spend(visit, scope, month, 1).await?;
        Ok(visit.reservation(month))
    }

    /// What is left of a month now, without asking anyone.
    pub fn standing(&self, reseller: ResellerId, month: Month) -> Option<Standing> {
        self.account(reseller)?.standing(month)
    }

    /// Tells the store of what was borrowed while it was away. To be called before any of it is
    /// settled: settling takes it off the lease.
    pub async fn pay_debts(&self) -> Result<(), StoreError> {
        let debtors: Vec<ResellerId> = lock(&self.debtors).drain().collect();
        for (at, reseller) in debtors.iter().enumerate() {
            if let Some(account) = self.account(*reseller)
                && let Err(error) = self.pay_debt(*reseller, &account).await
            {
                lock(&self.debtors).extend(&debtors[at..]);
                return Err(error);
            }
        }
        Ok(())
    }

    async fn pay_debt(&self, reseller: ResellerId, account: &Account) -> Result<(), StoreError> {
        let _turn = account.asking.lock().await;
        let (spool, debts) = (self.spool, account.debts());
        if debts.is_empty() {
            return Ok(());
        }
        let told = debts.clone();
        let paid = self.db.system(Purpose::Settle, move |tx| {
            let tx = tx.scoped(reseller)?;
            told.iter().try_for_each(|&(month, debt)| tx.quota_lease(month, spool, debt))
        });
        match paid.await {
            Err(error) if error.is_passing() => return Err(error),
            Err(error) => tracing::error!(%error, %reseller, "a quota debt cannot be recorded"),
            Ok(()) => {}
        }
        account.pay(&debts);
        Ok(())
    }

    /// Asks for no more leases, and waits for those that are being asked for.
    pub async fn close(&self) {
        *self.open.write().await = false;
    }

    async fn spend(
        self: &Arc<Self>,
        visit: &Visit,
        scope: &Scope,
        month: Month,
        amount: i64,
    ) -> Result<Standing, NoQuota> {
        match visit.account.spend(month, amount) {
            Some(outcome) => outcome,
            None => Box::pin(self.lease_and_spend(visit, scope, month, amount)).await,
        }
    }

    async fn lease_and_spend(
        self: &Arc<Self>,
        visit: &Visit,
        scope: &Scope,
        month: Month,
        amount: i64,
    ) -> Result<Standing, NoQuota> {
        loop {
            if let Some(outcome) = visit.account.spend(month, amount) {
                return outcome;
            }
            let is_silent = visit.account.waits_longer_than(SILENCE);
            if is_silent && self.borrow(&visit.account, scope, month) {
                continue;
            }
            // In a task of its own: neither a sender who hangs up nor one who does not wait for a store
            // that says nothing may leave a lease that nobody knows of.
            let (quota, account) = (self.clone(), visit.account.clone());
            let asking = scope.clone();
            let mut asked = tokio::spawn(async move { quota.ask(&account, &asking, month).await });
            let ended = match tokio::time::timeout(SILENCE, &mut asked).await {
                Ok(ended) => ended,
                Err(_) if self.borrow(&visit.account, scope, month) => continue,
                Err(_) => asked.await,
            };
            ended.unwrap_or_else(|_| {
                Err(StoreError::Unavailable("ingestion is shutting down".into()))
            })?;
        }
    }

    /// Asks the store for a lease. While it is away, one more is borrowed from what was last known to
    /// be left.
    async fn ask(&self, account: &Account, scope: &Scope, month: Month) -> Result<(), StoreError> {
        let _turn = account.asking.lock().await;
        // Whoever had the turn before may have asked for us too.
        if account.spend(month, 0).is_some() {
            return Ok(());
        }
        let terms = account.terms(month);
        account.note_asking(true);
        let leased = self.lease(scope, month, terms).await;
        account.note_asking(false);
        match leased {
            Ok(lease) => {
                account.credit(month, terms, lease);
                Ok(())
            }
            Err(error) if error.is_passing() && self.borrow(account, scope, month) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Goes by what was last known to be left, and remembers to tell the store. False where nothing is
    /// known.
    fn borrow(&self, account: &Account, scope: &Scope, month: Month) -> bool {
        let has_borrowed = account.borrow(month);
        if has_borrowed {
            lock(&self.debtors).insert(scope.reseller());
        }
        has_borrowed
    }

    async fn lease(&self, scope: &Scope, month: Month, terms: Terms) -> Result<Lease, StoreError> {
        let open = self.open.read().await;
        if !*open {
            return Err(StoreError::Unavailable("ingestion is shutting down".into()));
        }
        let spool = self.spool;
        let leased = self.db.write(scope, move |tx| {
            let reseller = tx.reseller()?;
            let lease = Lease::on(tx.quota_facts(month)?, terms);
            if reseller.is_some() {
                tx.quota_lease(month, spool, lease.amount(terms))?;
            }
            Ok::<_, StoreError>((lease, reseller.is_none_or(|reseller| reseller.is_closing)))
        });
        let (lease, is_closing) = leased.await?;
        if is_closing {
            // The news of it is older than this lease, which has to end as well.
            lock(&self.changed).insert(scope.reseller());
        }
        Ok(lease)
    }

    fn account(&self, reseller: ResellerId) -> Option<Arc<Account>> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&reseller).cloned()
    }

    /// Enters an account, which cannot be removed meanwhile.
    fn enter(&self, reseller: ResellerId) -> Visit {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = accounts.get(&reseller) {
            return account.enter();
        }
        drop(accounts);
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        accounts.entry(reseller).or_default().enter()
    }
}

impl Listener for Quota {
    /// A limit may have changed, or the reseller may be closing.
    fn changed(&self, change: &Change) {
        let Change::Reseller(reseller) = change else { return };
        if let Some(account) = self.account(*reseller) {
            account.doubt();
            lock(&self.changed).insert(*reseller);
        }
    }

    fn missed(&self) {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let resellers: Vec<_> = accounts.keys().copied().collect();
        drop(accounts);
        resellers.into_iter().for_each(|reseller| self.changed(&Change::Reseller(reseller)));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
