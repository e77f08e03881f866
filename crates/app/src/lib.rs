//! What we do.
//!
//! One function per use case: it loads facts through a transaction, lets a pure rule of
//! `weir-domain` decide, and applies the decision. Functions are synchronous and take
//! `&mut dyn ReadTx` or `&mut dyn WriteTx`; the caller opens the transaction and maps the error.
//!
//! To add a use case: a file named after the verb in the folder of its noun, a function that says in
//! its documentation what changes and what is refused, and nothing about HTTP or SQL in it.

pub mod api_keys;
pub mod credentials;
pub mod customers;
pub mod devices;
pub mod end_users;
mod env;
mod error;
pub mod fleet;
pub mod members;
pub mod ownership;
pub mod reports;
pub mod resellers;
pub mod sightings;
pub mod sign_in;

pub use env::{Clock, Env, Ids, SystemClock, TimeOrderedIds};
pub use error::{AppError, AppResult};
