//! The tree of principal and sub-meters, what each consumed, and moving them.

mod balance;
mod consumed;
pub mod moving;
mod page;
mod rows;
mod tree;

pub use page::page;
