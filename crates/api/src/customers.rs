//! Customers: communities whose people are end users.

pub mod create;
pub mod delete;
mod filter;
pub mod list;
pub mod lookup;
pub mod register_unregistered;
pub mod update;
mod view;

pub use filter::customer_filter;
pub use view::CustomerView;
