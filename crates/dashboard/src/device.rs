//! One device: what it is, what it measured, whose it was, and what can be changed about it.

mod consumption;
pub mod edit;
mod facts;
mod owners;
mod page;
pub mod readings;
pub mod report;
pub mod restore;

pub(crate) use facts::volts;
pub use page::page;
use weir_app::devices::DeviceRef;

use crate::problem::Problem;

/// Reads how a path names a device; what names none is not found.
pub(crate) fn named(text: &str) -> Result<DeviceRef, Problem> {
    DeviceRef::parse(text).ok_or(Problem::NotFound)
}
