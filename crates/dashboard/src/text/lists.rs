//! What lists have in common.

/// What the ways on are.
pub const PAGES: &str = "Pages of the list";
/// The page before.
pub const PREVIOUS: &str = "Previous";
/// The page after.
pub const NEXT: &str = "Next";
/// The field that looks for a part of a name.
pub const SEARCH: &str = "Search by name or e-mail";
/// Looks.
pub const FIND: &str = "Search";
/// Where a search finds nothing.
pub const NOTHING_FOUND: &str = "Nothing fits that search.";
/// The name of something.
pub const NAME: &str = "Name";
/// Where to write to.
pub const EMAIL: &str = "E-mail";
/// How many devices belong to it.
pub const DEVICES: &str = "Devices";
/// Since when it is there.
pub const CREATED: &str = "Created";
/// Keeps what was typed.
pub const SAVE: &str = "Save";
/// Deletes.
pub const DELETE: &str = "Delete";

/// How many customers a list does not offer.
pub fn other_customers(count: u64) -> String {
    match count {
        1 => "1 more customer".into(),
        _ => format!("{count} more customers"),
    }
}
