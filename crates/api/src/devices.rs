//! The fleet.

pub mod assign;
pub mod assign_customer;
pub mod bulk;
pub mod bulk_assign;
pub mod bulk_assign_customer;
pub mod bulk_delete;
pub mod bulk_status;
pub mod children;
pub mod consumption;
pub mod consumption_per_day;
pub mod delete;
pub mod filter;
pub mod hierarchy_batch;
pub mod list;
pub mod lookup;
pub mod ownership_history;
pub mod ownership_report;
pub mod register;
pub mod restore;
pub mod set_parent;
pub mod set_status;
pub mod stats;
pub mod update;
mod view;

pub use view::{DeletedDevice, DeviceCore, DeviceInList, DeviceWithOwner, LocatedDevice};
