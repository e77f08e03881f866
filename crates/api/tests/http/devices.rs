//! The fleet: devices and what is done with them.

mod bulk;
mod consumption;
mod delete;
mod hierarchy;
mod list;
mod lookup;
mod register;
mod stats;
mod status;
mod update;
