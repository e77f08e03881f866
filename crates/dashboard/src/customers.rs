//! Customers: the list, each one, and what can be changed about them.

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
use weir_domain::CustomerId;

use crate::forms::Fields;
use crate::problem::Problem;

/// The path of the list.
pub const PATH: &str = "/customers";

/// The customer that a path names. What is no id names nothing.
fn named(id: &str) -> Result<CustomerId, Problem> {
    Uuid::try_parse(id).map(CustomerId::from_uuid).map_err(|_| Problem::NotFound)
}

/// The customer that is chosen in a form or a query. What is no id chooses none.
pub(crate) fn chosen(fields: &Fields) -> Option<CustomerId> {
    Uuid::try_parse(fields.text("customer")).ok().map(CustomerId::from_uuid)
}
