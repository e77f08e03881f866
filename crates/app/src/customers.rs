//! Customers: communities whose people are end users.

mod create;
mod delete;
mod find;
mod update;

pub use create::{NewCustomer, create};
pub use delete::delete;
pub(crate) use find::hold;
pub use find::{find, list};
pub use update::{CustomerChange, update};
