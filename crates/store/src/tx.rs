//! Transactions, as ports by aggregate.

pub mod api_key;
pub mod device;
pub mod quota;
pub mod reading;
pub mod reseller;
pub mod sighting;
pub mod system;

use crate::{Change, StoreResult};

/// A transaction that reads one reseller's data in one consistent state.
pub trait ReadTx:
    reseller::ResellerReads
    + api_key::ApiKeyReads
    + device::DeviceReads
    + reading::ReadingReads
    + sighting::SightingReads
{
}

/// A transaction that reads and changes one reseller's data.
pub trait WriteTx:
    ReadTx
    + reseller::ResellerWrites
    + api_key::ApiKeyWrites
    + device::DeviceWrites
    + reading::ReadingWrites
    + sighting::SightingWrites
    + quota::QuotaWrites
{
    /// Announces a change to this and other nodes, should the transaction commit.
    fn announce(&mut self, change: Change) -> StoreResult<()>;
}
