//! Ending the leases of resellers that are being deleted.
//!
//! A reseller is deleted when no node holds a lease for it. A node ends its lease when nobody is
//! between the quota and the spool any more, and everything that was acknowledged until then is
//! settled. Whoever comes later has to ask for a lease again, and so keeps the reseller or finds it
//! gone.

use std::sync::{Arc, PoisonError};

use weir_domain::ResellerId;
use weir_store::{Purpose, StoreError};

use super::account::Account;
use super::{Quota, lock};

/// When an account was last found quiet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// How many requests had come.
    entered: u64,
    /// What was acknowledged then.
    durable: u64,
}

impl Quota {
    /// Ends the leases with resellers that are closing or gone, as far as nothing of theirs is under
    /// way: records are acknowledged up to `durable` and settled up to `settled`.
    pub async fn end_closed(
        &self,
        settled: u64,
        durable: impl Fn() -> u64,
    ) -> Result<(), StoreError> {
        self.find_closing().await?;
        let closing: Vec<_> = lock(&self.closing).iter().map(|(id, mark)| (*id, *mark)).collect();
        for (reseller, mark) in closing {
            let Some(account) = self.account(reseller) else {
                lock(&self.closing).remove(&reseller);
                continue;
            };
            let mark = account.quiet().map(|entered| match mark {
                Some(mark) if mark.entered == entered => mark,
                // In this order: what was acknowledged by those who have left is counted.
                _ => Mark { entered, durable: durable() },
            });
            lock(&self.closing).insert(reseller, mark);
            if let Some(mark) = mark.filter(|mark| settled >= mark.durable) {
                self.end(reseller, &account, mark).await?;
            }
        }
        Ok(())
    }

    /// Finds out which of the resellers that have changed are closing.
    async fn find_closing(&self) -> Result<(), StoreError> {
        let changed: Vec<ResellerId> = lock(&self.changed).drain().collect();
        if changed.is_empty() {
            return Ok(());
        }
        let asked = changed.clone();
        let found = self.db.system(Purpose::Settle, move |tx| {
            let mut closing = Vec::new();
            for &reseller in &asked {
                let found = tx.scoped(reseller)?.reseller()?;
                closing.extend(found.is_none_or(|found| found.is_closing).then_some(reseller));
            }
            Ok::<_, StoreError>(closing)
        });
        match found.await {
            Ok(found) => lock(&self.closing).extend(found.into_iter().map(|id| (id, None))),
            Err(error) => {
                lock(&self.changed).extend(changed);
                return Err(error);
            }
        }
        Ok(())
    }

    async fn end(
        &self,
        reseller: ResellerId,
        account: &Arc<Account>,
        mark: Mark,
    ) -> Result<(), StoreError> {
        // Whoever comes now waits with asking until the lease has ended, and then takes a new one.
        let _turn = account.asking.lock().await;
        if !account.shut(mark.entered) {
            return Ok(());
        }
        let spool = self.spool;
        let ended = self.db.system(Purpose::Settle, move |tx| {
            let tx = tx.scoped(reseller)?;
            tx.quota_leases_end(spool)?;
            Ok::<_, StoreError>(tx.reseller()?.is_none())
        });
        let is_gone = ended.await?;
        lock(&self.closing).remove(&reseller);
        if is_gone {
            let mut accounts = self.accounts.write().unwrap_or_else(PoisonError::into_inner);
            if account.quiet().is_some() {
                accounts.remove(&reseller);
            }
        }
        Ok(())
    }
}
