//! Uplinks of EUIs that are not registered.

mod list;
mod register;

pub use list::{list, remembered};
pub use register::{Intended, Registered, register};
