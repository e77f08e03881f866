//! The fleet.

pub mod consumption;
pub mod list;
pub mod lookup;
pub mod register;
mod view;

pub use view::{DeviceCore, DeviceInList, DeviceWithOwner};
