//! The monthly quota as one node spends it.
//!
//! A node holds a lease on part of what is left, recorded in the store under its spool, and spends it
//! in memory. A request is counted where it is reserved, just before the spool, and given back when
//! the spool does not take it; so the count is exact under concurrency, and nobody is refused for a
//! request that fails anyway. What is settled moves from the lease to what is used in the settler's
//! transaction, so it is exact across crashes too.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use weir_domain::{Month, ResellerId, SpoolId};
use weir_store::{Change, Db, Listener, Purpose, Scope, StoreError};

/// How long a node that found nothing left waits before it asks again: others may give back.
const ASK_AGAIN: Duration = Duration::from_millis(500);

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
}

/// One reseller's account on this node.
struct Account {
    book: Mutex<Option<Book>>,
    /// One request asks the store at a time; the others wait for its answer.
    asking: tokio::sync::Mutex<()>,
}

/// One reseller's month on this node.
#[derive(Debug, Clone, Copy)]
struct Book {
    month: Month,
    limit: i64,
    /// Leased and not spent.
    unspent: i64,
    /// What nobody had used or leased when the store was last asked.
    available: i64,
    /// Until when "nothing left" is believed.
    empty_until: Option<Instant>,
    /// The reseller has changed since: what is unspent is given back and asked for anew, for the
    /// limit may be another.
    outdated: bool,
}

impl Book {
    fn standing(&self) -> Standing {
        Standing { limit: self.limit, remaining: self.unspent + self.available, month: self.month }
    }
}

/// A counted request. Dropped before [`Reservation::keep`], or after [`Reservation::give_back`], it
/// counts no more.
pub struct Reservation {
    account: Arc<Account>,
    month: Month,
    kept: bool,
}

impl Quota {
    /// The accounts of the node with that spool; changes of resellers are listened to.
    pub fn new(db: Db, spool: SpoolId) -> Arc<Self> {
        let quota =
            Arc::new(Self { db, spool, accounts: RwLock::default(), changed: Mutex::default() });
        quota.db.listen(quota.clone());
        quota
    }

    /// Whether the month has room for one more request. Holding an account here also means that the
    /// store knows of this node's lease, so that the reseller cannot be deleted under its uplinks.
    pub async fn check(&self, scope: &Scope, month: Month) -> Result<Standing, NoQuota> {
        let account = self.account(scope.reseller());
        self.spend(&account, scope, month, 0).await
    }

    /// Counts one request.
    pub async fn reserve(&self, scope: &Scope, month: Month) -> Result<Reservation, NoQuota> {
        let account = self.account(scope.reseller());
        self.spend(&account, scope, month, 1).await?;
        Ok(Reservation { account, month, kept: false })
    }

    /// What is left of a month now, without asking anyone.
    pub fn standing(&self, reseller: ResellerId, month: Month) -> Option<Standing> {
        let account = self.account(reseller);
        let book = *account.lock();
        book.filter(|book| book.month == month).map(|book| book.standing())
    }

    /// Ends the leases with resellers that are closing or gone. To be called when everything that was
    /// acknowledged before is settled.
    pub async fn end_closed(&self) -> Result<(), StoreError> {
        let changed =
            std::mem::take(&mut *self.changed.lock().unwrap_or_else(PoisonError::into_inner));
        if changed.is_empty() {
            return Ok(());
        }
        let (spool, resellers) = (self.spool, changed.clone());
        let ended = self.db.system(Purpose::Settle, move |tx| {
            let mut ended = Vec::new();
            for &reseller in &resellers {
                let tx = tx.scoped(reseller)?;
                if tx.reseller()?.is_none_or(|reseller| reseller.is_closing) {
                    tx.quota_leases_end(spool)?;
                    ended.push(reseller);
                }
            }
            Ok::<_, StoreError>(ended)
        });
        match ended.await {
            Ok(ended) => {
                let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
                ended.iter().for_each(|reseller| drop(accounts.remove(reseller)));
                Ok(())
            }
            Err(error) => {
                self.changed.lock().unwrap_or_else(PoisonError::into_inner).extend(changed);
                Err(error)
            }
        }
    }

    /// Whether resellers have changed since their leases were looked at.
    pub fn has_changes(&self) -> bool {
        !self.changed.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    async fn spend(
        &self,
        account: &Account,
        scope: &Scope,
        month: Month,
        amount: i64,
    ) -> Result<Standing, NoQuota> {
        if let Some(outcome) = account.try_spend(month, amount) {
            return outcome;
        }
        let _turn = account.asking.lock().await;
        loop {
            // Whoever had the turn before may have asked for us too.
            if let Some(outcome) = account.try_spend(month, amount) {
                return outcome;
            }
            let returned = account.take_unspent(month);
            match self.lease(scope, month, returned).await {
                Ok(book) => account.credit(book),
                Err(error) => {
                    account.put_back(month, returned);
                    let known = error.is_passing() && account.overdraw(month);
                    known.then_some(()).ok_or(error)?;
                }
            }
        }
    }

    /// Gives back what is left of a lease and takes a new one on part of what is left of the month.
    async fn lease(&self, scope: &Scope, month: Month, returned: i64) -> Result<Book, StoreError> {
        let spool = self.spool;
        let (facts, grant) = self
            .db
            .write(scope, move |tx| {
                let mut facts = tx.quota_facts(month)?;
                facts.leased -= returned;
                let grant = facts.grant();
                tx.quota_lease(month, spool, grant - returned)?;
                Ok::<_, StoreError>((facts, grant))
            })
            .await?;
        let empty_until = (grant == 0).then(|| Instant::now() + ASK_AGAIN);
        let available = facts.available() - grant;
        Ok(Book {
            month,
            limit: facts.limit,
            unspent: grant,
            available,
            empty_until,
            outdated: false,
        })
    }

    fn account(&self, reseller: ResellerId) -> Arc<Account> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(account) = accounts.get(&reseller) {
            return account.clone();
        }
        drop(accounts);
        let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
        let fresh =
            || Arc::new(Account { book: Mutex::new(None), asking: tokio::sync::Mutex::new(()) });
        accounts.entry(reseller).or_insert_with(fresh).clone()
    }
}

impl Account {
    fn lock(&self) -> MutexGuard<'_, Option<Book>> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Spends from the lease, or says that there is nothing left; none where the store has to be
    /// asked.
    fn try_spend(&self, month: Month, amount: i64) -> Option<Result<Standing, NoQuota>> {
        let mut book = self.lock();
        let book = book.as_mut().filter(|book| book.month == month)?;
        if book.outdated {
            return None;
        }
        if book.unspent > 0 {
            book.unspent -= amount;
            return Some(Ok(book.standing()));
        }
        let believed = book.empty_until.is_some_and(|until| Instant::now() < until);
        believed.then(|| Err(NoQuota::UsedUp(book.standing())))
    }

    fn take_unspent(&self, month: Month) -> i64 {
        let mut book = self.lock();
        let book = book.as_mut().filter(|book| book.month == month);
        book.map_or(0, |book| std::mem::take(&mut book.unspent))
    }

    fn put_back(&self, month: Month, amount: i64) {
        if let Some(book) = self.lock().as_mut().filter(|book| book.month == month) {
            book.unspent += amount;
        }
    }

    /// Opens the month with a lease of the store's. Reservations given back meanwhile stay.
    fn credit(&self, lease: Book) {
        let mut book = self.lock();
        let left = book.filter(|book| book.month == lease.month).map_or(0, |book| book.unspent);
        *book = Some(Book { unspent: left + lease.unspent, ..lease });
    }

    /// While the store is away, goes by what it last knew to be left: all of it in a month that is
    /// new. False where nothing was known at all.
    fn overdraw(&self, month: Month) -> bool {
        let mut book = self.lock();
        let Some(known) = book.as_mut() else { return false };
        if known.month != month {
            *known = Book { month, unspent: 0, available: known.limit, ..*known };
        }
        if known.unspent == 0 {
            let borrowed = known.available.min(1);
            known.available -= borrowed;
            known.unspent += borrowed;
        }
        known.outdated = false;
        known.empty_until = (known.unspent == 0).then(|| Instant::now() + ASK_AGAIN);
        true
    }
}

impl Reservation {
    /// The request is on its way into the spool and stays counted, whatever becomes of its sender.
    pub fn keep(&mut self) {
        self.kept = true;
    }

    /// The spool did not take it.
    pub fn give_back(mut self) {
        self.kept = false;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        self.account.put_back(self.month, 1);
    }
}

impl Listener for Quota {
    /// A limit may have changed, or the reseller may be closing.
    fn changed(&self, change: &Change) {
        let Change::Reseller(reseller) = change else { return };
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let Some(account) = accounts.get(reseller) else { return };
        if let Some(book) = account.lock().as_mut() {
            book.outdated = true;
        }
        self.changed.lock().unwrap_or_else(PoisonError::into_inner).insert(*reseller);
    }

    fn missed(&self) {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let resellers: Vec<_> = accounts.keys().copied().collect();
        drop(accounts);
        resellers.into_iter().for_each(|reseller| self.changed(&Change::Reseller(reseller)));
    }
}
