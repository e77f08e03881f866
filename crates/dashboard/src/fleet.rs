//! The fleet: its list, and what is done with many devices at once.

mod belonging;
pub mod bulk;
mod choices;
pub mod export;
mod filter;
pub mod import;
mod list;
mod order;
pub mod register;
mod row;

pub use list::list;
