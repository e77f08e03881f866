//! End users: the people whom devices are assigned to.

mod create;
mod delete;
mod find;
mod update;

pub use create::{NewEndUser, create};
pub use delete::delete;
pub(crate) use find::hold;
pub use find::{find, list};
pub use update::{EndUserChange, update};
