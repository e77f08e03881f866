//! The fleet: its list, and what is done with many devices at once.

pub mod bulk;
mod choices;
pub mod export;
mod filter;
pub mod import;
mod list;
pub(crate) mod pages;
pub mod register;
mod row;

pub use list::list;
