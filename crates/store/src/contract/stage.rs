//! Who a case is played by: two resellers, and the system behind them.

use super::failure::Outcome;
use super::fixtures::{reseller, reseller_id};
use super::tenant::Tenant;
use crate::{Db, Purpose, SystemTx};

/// An otherwise empty store with two resellers that must never notice each other.
pub struct Stage {
    pub(super) db: Db,
    pub(super) acme: Tenant,
    pub(super) globex: Tenant,
}

impl Stage {
    /// Sets the stage in an empty store.
    pub async fn set(db: Db) -> Outcome<Self> {
        let acme = Tenant::new(&db, reseller_id(0xac3e));
        let globex = Tenant::new(&db, reseller_id(0x91_0be8));
        acme.insert(&reseller(acme.id(), "acme")).await?;
        globex.insert(&reseller(globex.id(), "globex")).await?;
        Ok(Self { db, acme, globex })
    }

    /// Someone who may act for a reseller that does not exist, or not yet.
    pub(super) fn stranger(&self) -> Tenant {
        Tenant::new(&self.db, reseller_id(0x0057_a29e))
    }

    /// Works across resellers, as the settler does.
    pub(super) async fn settle<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn SystemTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.system(Purpose::Settle, work).await
    }

    /// Works across resellers, as an operator does.
    pub(super) async fn administer<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn SystemTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.system(Purpose::Administer, work).await
    }

    /// Works across resellers, as signing in does.
    pub(super) async fn sign_in<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn SystemTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.system(Purpose::SignIn, work).await
    }

    /// Works across resellers, as authentication does.
    pub(super) async fn authenticate<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn SystemTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.system(Purpose::Authenticate, work).await
    }
}
