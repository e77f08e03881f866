//! Who devices belong to, and belonged to.

mod change;
mod history;

pub(crate) use change::store;
pub use history::{History, history};
