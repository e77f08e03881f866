//! Texts of what is done with many devices.

/// Nothing was selected.
pub const NOTHING_SELECTED: &str = "Select at least one meter first.";
/// It was not said for whom.
pub const CHOOSE: &str = "Choose one of these.";
/// Assigning.
pub const ASSIGN: &str = "Assign to an end user?";
/// What it means.
pub const ASSIGN_MEANS: &str = "Whoever had a meter until now gets a final report, and the change is kept in its owner history.";
/// Giving.
pub const GIVE: &str = "Give to a customer?";
/// What it means.
pub const GIVE_MEANS: &str = "An end user of another customer loses the meter, with a final report. It is done for all or for none.";
/// Hanging below a meter.
pub const HANG: &str = "Hang below a meter?";
/// What it means.
pub const HANG_MEANS: &str = "All that hang below them go with them. What they measure counts as a part of what the meter above them measures.";
/// Maintenance.
pub const MAINTENANCE: &str = "Take into maintenance?";
/// What it means.
pub const MAINTENANCE_MEANS: &str = "The status stays at maintenance, whatever the meters send.";
/// Back from maintenance.
pub const AUTO: &str = "Back to automatic status?";
/// What it means.
pub const AUTO_MEANS: &str = "The status follows the readings again.";
/// Deleting.
pub const DELETE: &str = "Delete?";
/// What it means.
pub const DELETE_MEANS: &str = "Deleted meters disappear from the fleet and are not billed. Their history is kept, and they can be restored.";
/// What was done by assigning.
pub const ASSIGNED: &str = "assigned";
/// What was done by giving.
pub const GIVEN: &str = "given to the customer";
/// What was done by hanging.
pub const HUNG: &str = "moved";
/// What was done by maintenance.
pub const MAINTAINED: &str = "taken into maintenance";
/// What was done by going back.
pub const AUTOMATIC: &str = "back to automatic status";
/// What was done by deleting.
pub const DELETED: &str = "deleted";
/// The field to search in.
pub const SEARCH: &str = "Find by name or e-mail";
/// The field to search for a meter in.
pub const SEARCH_METER: &str = "Find by EUI or name";
/// The button that searches.
pub const FIND: &str = "Find";
/// For whom it is done.
pub const FOR_WHOM: &str = "For whom?";
/// Below which meter.
pub const BELOW_WHAT: &str = "Below which meter?";
/// Below no meter.
pub const TOP: &str = "No meter (to the top)";
/// Nobody at all.
pub const NOBODY: &str = "Nobody (unassign)";
/// A search that found nobody.
pub const NOBODY_FITS: &str = "Nobody fits.";
/// A device that is not there.
pub const UNKNOWN: &str = "An unknown meter";
/// The button that does it.
pub const DO_IT: &str = "Confirm";
/// The way back.
pub const CANCEL: &str = "Cancel";
/// Above the results.
pub const RESULTS: &str = "Results";
/// A device.
pub const METER: &str = "Meter";
/// What became of it.
pub const RESULT: &str = "Result";
/// It was done.
pub const DONE: &str = "Done";
/// The way to the fleet.
pub const BACK: &str = "Back to the fleet";

/// More were selected than can be.
pub fn too_many(most: usize) -> String {
    format!("At most {most} meters can be selected.")
}

/// How many were selected.
pub fn selected(count: usize) -> String {
    match count {
        1 => "1 meter is selected:".into(),
        _ => format!("{count} meters are selected:"),
    }
}

/// How many are not named.
pub fn more(count: usize) -> String {
    format!("… and {count} more")
}

/// How many are not offered.
pub fn others(count: u64) -> String {
    format!("{count} more: find them by name.")
}

/// What was done with how many.
pub fn done(done: &str, succeeded: usize, failed: usize) -> String {
    let meters = if succeeded == 1 { "1 meter".into() } else { format!("{succeeded} meters") };
    match failed {
        0 => format!("{meters} {done}."),
        _ => format!("{meters} {done}, {failed} failed."),
    }
}
