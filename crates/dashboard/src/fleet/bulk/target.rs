//! Whom devices can be given to, and what they can be hung below.

use weir_app::devices::{self, DeviceInList, DeviceQuery};
use weir_app::{AppResult, Env, customers, end_users};
use weir_store::{EndUserFilter, Page, ReadTx};

use super::SHOWN;
use super::action::{Action, NOBODY};
use crate::format;
use crate::text::bulk as text;

/// How many are offered at once; a search finds the others.
const OFFERED: Page = Page { limit: 50, offset: 0 };

/// Somebody or a meter, or none.
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
pub fn targets(
    tx: &mut dyn ReadTx,
    env: &Env,
    action: Action,
    search: &str,
) -> AppResult<Option<Targets>> {
    let cut = |text: &str| format::cut(text, SHOWN);
    let search = Some(search).filter(|text| !text.is_empty());
    let (mut offered, total): (Vec<Target>, u64) = match action {
        Action::Assign => {
            let filter = EndUserFilter { customer: None, search: search.map(str::to_owned) };
            let (found, total) = end_users::list(tx, &filter, OFFERED)?;
            let offered = found.into_iter().map(|counted| Target {
                value: counted.end_user.id.to_string(),
                name: cut(counted.end_user.name.as_str()),
                hint: cut(&counted.end_user.email.unwrap_or_default()),
            });
            (offered.collect(), total)
        }
        Action::Give => {
            let (found, total) = customers::list(tx, search, OFFERED)?;
            let offered = found.into_iter().map(|counted| Target {
                value: counted.customer.id.to_string(),
                name: cut(counted.customer.name.as_str()),
                hint: cut(&counted.customer.email.unwrap_or_default()),
            });
            (offered.collect(), total)
        }
        Action::Hang => {
            let query = DeviceQuery { search: search.map(str::to_owned), ..DeviceQuery::default() };
            let list = devices::list(tx, env, &query, OFFERED, false)?;
            let offered = list.devices.into_iter().map(|DeviceInList { device, .. }| Target {
                value: device.id.to_string(),
                name: cut(device.name.as_str()),
                hint: device.dev_eui.to_string(),
            });
            (offered.collect(), list.total)
        }
        Action::Maintenance | Action::Auto | Action::Delete => return Ok(None),
    };
    let others = total.saturating_sub(offered.len() as u64);
    let none = match action {
        Action::Assign => Some(text::NOBODY),
        Action::Hang => Some(text::TOP),
        _ => None,
    };
    if let Some(name) = none.map(str::to_owned) {
        offered.insert(0, Target { value: NOBODY.to_owned(), name, hint: String::new() });
    }
    Ok(Some(Targets { offered, others }))
}
