//! End users: the list, each one, and what can be changed about them.

mod create;
mod delete;
mod draft;
mod edit;
mod list;

pub use create::{blank, create};
pub use delete::delete;
pub use edit::{page, save};
pub use list::list;

use uuid::Uuid;
use weir_domain::EndUserId;

use crate::problem::Problem;

/// The path of the list.
pub const PATH: &str = "/end-users";

/// The end user that a path names. What is no id names nobody.
fn named(id: &str) -> Result<EndUserId, Problem> {
    Uuid::try_parse(id).map(EndUserId::from_uuid).map_err(|_| Problem::NotFound)
}
