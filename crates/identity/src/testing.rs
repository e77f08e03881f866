//! What tests of anything that takes tokens need: key pairs, good tokens, and a table of hostile ones.
//!
//! Tokens are put together and signed here by other means than those that verify them, so that a mistake in
//! one does not excuse the other.

mod clock;
mod hostile;
mod setting;
mod signer;
mod weak;

pub use clock::StillClock;
pub use hostile::hostile_tokens;
pub use setting::Setting;
pub use signer::{Signer, assemble, encode};
