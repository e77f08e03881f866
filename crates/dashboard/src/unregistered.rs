//! Devices that send and are not registered: the list, and adopting them.

mod adopt;
mod list;

pub use adopt::adopt;
pub use list::list;

/// The path of the list.
pub const PATH: &str = "/unregistered-devices";
