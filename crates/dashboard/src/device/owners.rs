//! Whose a device was.

use weir_app::ownership::History;
use weir_domain::{Calendar, EndUserId};

use super::consumption::DAYS;
use crate::format;
use crate::forms::Fields;
use crate::part::Part;
use crate::text::device as text;

/// A change of hands.
pub struct Owner {
    /// When.
    pub when: String,
    /// Who had it.
    pub from: String,
    /// Who has it since.
    pub to: String,
    /// Who changed it.
    pub by: String,
    /// The record whose report there is.
    pub report: Option<String>,
}

/// The changes of hands that a query asks for on the page at `path`, newest first.
pub fn owners(history: &History, calendar: &Calendar, path: &str, query: &Fields) -> Part<Owner> {
    let named = |id: Option<EndUserId>| match id {
        None => text::NOBODY.to_owned(),
        Some(id) => {
            let known = history.end_users.as_ref().and_then(|end_users| end_users.get(&id));
            known.map_or_else(
                || text::FORGOTTEN.to_owned(),
                |known| format::cell(known.name.as_str()),
            )
        }
    };
    let owner = |record: &weir_domain::OwnershipRecord| Owner {
        when: format::moment(calendar, record.changed_at),
        from: named(record.previous),
        to: named(record.new),
        by: format::cell(&record.changed_by),
        report: record.has_report.then(|| record.id.to_string()),
    };
    let kept = [(DAYS, query.text(DAYS))];
    Part::of(path, &kept, "owners", query, history.records.iter(), owner)
}
