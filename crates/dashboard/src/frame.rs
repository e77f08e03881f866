//! What stands around every page of a visitor.

use crate::flash::Flash;
use crate::navigation::{self, Item};
use crate::visitor::Visitor;

/// What `frame.html` shows around a page.
pub struct Frame {
    /// The name of the reseller.
    pub reseller: String,
    /// How the visitor is known.
    pub person: String,
    /// Whether they may change things.
    pub may_change: bool,
    /// Whether they belong to other resellers too.
    pub has_choice: bool,
    /// What every form has to carry.
    pub token: String,
    /// What came of the last change.
    pub flash: Option<Flash>,
    /// The pages to begin with.
    pub items: Vec<Item>,
}

impl Frame {
    pub(crate) fn around(
        visitor: &Visitor,
        path: &str,
        token: String,
        flash: Option<Flash>,
    ) -> Self {
        Self {
            reseller: visitor.caller.reseller.name.to_string(),
            person: visitor.caller.scope.actor().to_owned(),
            may_change: visitor.may_change(),
            has_choice: visitor.has_choice,
            token,
            flash,
            items: navigation::items(path),
        }
    }
}
