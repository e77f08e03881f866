//! Members: who may sign in for the caller's reseller.

pub mod add;
pub mod list;
pub mod remove;
mod view;

pub use view::MemberView;
