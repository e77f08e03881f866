//! What we ask of a database.
//!
//! # The contract
//!
//! A transaction is born scoped to one reseller. [`Db::read`] and [`Db::write`] take a [`Scope`],
//! which only authentication makes, and hand out a transaction that can see and touch that reseller
//! alone; no function below takes a reseller id. The one cross-tenant door is [`Db::system`], whose
//! [`Purpose`]s are a short list.
//!
//! Stores have no opinions. A port method loads facts or applies a decision; rules are pure functions
//! in `weir-domain`, and the sequence load, decide, apply is a use case in `weir-app`.
//!
//! - *Isolation.* A closure sees one consistent state, its own writes included. `Ok` commits, `Err`
//!   rolls back. Closures may run more than once (a serialization failure simply runs them again), so
//!   they are `FnMut` and have no effects but through the transaction.
//! - *Not found* is `Ok(None)`, and so is another reseller's thing.
//! - *Order* is part of a method's documentation wherever it returns several.
//! - *Errors* are [`StoreError`]s by what can be done about them, never by the database's own words.
//!
//! Use cases are synchronous functions over `&mut dyn ReadTx` or `&mut dyn WriteTx`: a store runs them
//! on threads of its own, so an `.await` inside a transaction does not compile, and a client that
//! hangs up cannot leave a half-done transaction.
//!
//! # To ask for one more thing
//!
//! Add a method to the aggregate's trait (resource first, verb second: `device_insert`), write its
//! contract as prose, answer it in `store-sqlite` and `store-postgres` under the same file name, and
//! add a case to the suite in [`contract`](self) that both run.

pub mod block;
mod change;
#[cfg(feature = "contract")]
pub mod contract;
mod db;
mod error;
mod lane;
mod leisure;
mod scope;
mod tx;

pub use change::{Change, Listener, Listeners, NotAChange};
pub use db::{
    Db, Done, Engine, Health, ReadWork, Settled, StoreFailure, SystemWork, Verdict, WriteWork,
};
pub use error::{StoreError, StoreResult};
pub use lane::{LANES, Lane, Lanes, Positions};
pub use leisure::{Leisure, Pauses};
pub use scope::{Purpose, Scope};
pub use tx::api_key::{ApiKey, ApiKeyReads, ApiKeyWrites, KeyHash};
pub use tx::customer::{CountedCustomer, CustomerReads, CustomerWrites};
pub use tx::day::{DayReads, DayWrites, DayZones, DaysOf};
pub use tx::device::{
    CustomerFilter, DeviceFilter, DeviceOrder, DeviceReads, DeviceSort, DeviceState, DeviceStats,
    DeviceWrites, Page,
};
pub use tx::end_user::{CountedEndUser, EndUserFilter, EndUserReads, EndUserWrites};
pub use tx::fleet::{FleetDay, FleetReads, KeptSpan};
pub use tx::member::{MemberReads, MemberWrites};
pub use tx::ownership::{OwnershipReads, OwnershipWrites};
pub use tx::quota::{QuotaReads, QuotaWrites};
pub use tx::reading::{From, ReadingReads, ReadingWrites, Span};
pub use tx::reseller::{ResellerReads, ResellerWrites};
pub use tx::sighting::{Sighting, SightingReading, SightingReads, SightingWrites};
pub use tx::sign_in::{MagicLink, Session, SignInTx, SigningKey};
pub use tx::system::SystemTx;
pub use tx::{ReadTx, WriteTx};
