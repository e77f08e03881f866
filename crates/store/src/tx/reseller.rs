//! The reseller itself.

use weir_domain::Reseller;

use crate::StoreResult;

/// Reads the reseller of the transaction.
pub trait ResellerReads {
    /// The reseller, with its aliases in the order of their names; none before it is inserted.
    fn reseller(&mut self) -> StoreResult<Option<Reseller>>;
}

/// Changes the reseller of the transaction. Tenant names are claimed across resellers, by
/// [`SystemTx`](crate::SystemTx).
pub trait ResellerWrites {
    /// Inserts the reseller; its id must be the transaction's.
    fn reseller_insert(&mut self, reseller: &Reseller) -> StoreResult<()>;

    /// Stores all fields of the reseller but its id and creation time.
    fn reseller_update(&mut self, reseller: &Reseller) -> StoreResult<()>;

    /// Deletes the reseller and everything of it: devices with their EUI claims, readings, sightings,
    /// customers, end users, members, API keys and quota. Its tenant names and key hashes are released
    /// by [`SystemTx`](crate::SystemTx).
    fn reseller_delete(&mut self) -> StoreResult<()>;
}
