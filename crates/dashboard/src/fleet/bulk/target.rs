//! Whom devices can be given to.

use weir_app::{AppResult, customers, end_users};
use weir_store::{EndUserFilter, Page, ReadTx};

use super::action::{Action, NOBODY};
use crate::text::bulk as text;

/// How many are offered at once; a search finds the others.
const OFFERED: Page = Page { limit: 50, offset: 0 };

/// Somebody, or nobody.
pub struct Target {
    /// As it is sent.
    pub value: String,
    /// Who it is.
    pub name: String,
    /// What tells them from others of that name.
    pub hint: String,
}

/// Whom it can be for.
pub struct Targets {
    /// Those who are offered.
    pub offered: Vec<Target>,
    /// How many there are whom a closer search would find.
    pub others: u64,
}

/// Whom an action can be for, by a part of their names; none where it is for nobody in particular.
pub fn targets(tx: &mut dyn ReadTx, action: Action, search: &str) -> AppResult<Option<Targets>> {
    let search = Some(search).filter(|text| !text.is_empty());
    let (mut offered, total): (Vec<Target>, u64) = match action {
        Action::Assign => {
            let filter = EndUserFilter { customer: None, search: search.map(str::to_owned) };
            let (found, total) = end_users::list(tx, &filter, OFFERED)?;
            let offered = found.into_iter().map(|counted| Target {
                value: counted.end_user.id.to_string(),
                name: counted.end_user.name.into(),
                hint: counted.end_user.email.unwrap_or_default(),
            });
            (offered.collect(), total)
        }
        Action::Give => {
            let (found, total) = customers::list(tx, search, OFFERED)?;
            let offered = found.into_iter().map(|counted| Target {
                value: counted.customer.id.to_string(),
                name: counted.customer.name.into(),
                hint: counted.customer.email.unwrap_or_default(),
            });
            (offered.collect(), total)
        }
        Action::Maintenance | Action::Auto | Action::Delete => return Ok(None),
    };
    let others = total.saturating_sub(offered.len() as u64);
    if action == Action::Assign {
        let nobody =
            Target { value: NOBODY.to_owned(), name: text::NOBODY.to_owned(), hint: String::new() };
        offered.insert(0, nobody);
    }
    Ok(Some(Targets { offered, others }))
}
