//! Devices that send and are not registered.

pub mod list;
