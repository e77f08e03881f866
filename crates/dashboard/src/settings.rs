//! Settings of the reseller: its keys, its webhook, its members, its names, its time zone and its plan.

mod entry;
mod keys;
mod members;
mod page;
mod reseller;
mod webhook;

pub use keys::{create_key, reveal_key, revoke_key, rotate_key};
pub use members::{add_member, remove_member};
pub use page::page;
pub use reseller::{add_name, remove_name, set_time_zone};

/// The path of the page.
pub const PATH: &str = "/settings";
