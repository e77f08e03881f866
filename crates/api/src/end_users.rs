//! End users: the people whom devices are assigned to.

pub mod create;
pub mod delete;
pub mod list;
pub mod lookup;
pub mod update;
mod view;

pub use view::EndUserView;
