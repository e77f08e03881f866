//! Transactions, as ports by aggregate.

pub mod api_key;
pub mod customer;
pub mod day;
pub mod device;
pub mod end_user;
pub mod fleet;
pub mod member;
pub mod ownership;
pub mod quota;
pub mod reading;
pub mod reseller;
pub mod sighting;
pub mod sign_in;
pub mod system;

use crate::{Change, StoreResult};

/// A transaction that reads one reseller's data in one consistent state.
pub trait ReadTx:
    reseller::ResellerReads
    + api_key::ApiKeyReads
    + member::MemberReads
    + device::DeviceReads
    + reading::ReadingReads
    + day::DayReads
    + sighting::SightingReads
    + customer::CustomerReads
    + end_user::EndUserReads
    + ownership::OwnershipReads
    + fleet::FleetReads
    + quota::QuotaReads
{
}

/// A transaction that reads and changes one reseller's data.
pub trait WriteTx:
    ReadTx
    + reseller::ResellerWrites
    + api_key::ApiKeyWrites
    + member::MemberWrites
    + device::DeviceWrites
    + reading::ReadingWrites
    + day::DayWrites
    + sighting::SightingWrites
    + quota::QuotaWrites
    + customer::CustomerWrites
    + end_user::EndUserWrites
    + ownership::OwnershipWrites
{
    /// Announces a change to this and other nodes, should the transaction commit.
    fn announce(&mut self, change: Change) -> StoreResult<()>;
}
