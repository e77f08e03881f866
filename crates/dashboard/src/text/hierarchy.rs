//! Texts of the hierarchy's pages.

/// The title.
pub const TITLE: &str = "Hierarchy";
/// A meter.
pub const METER: &str = "Meter";
/// Its status.
pub const STATUS: &str = "Status";
/// What it consumed.
pub const CONSUMED: &str = "Consumption";
/// What its sub-meters consumed.
pub const BELOW: &str = "Sub-meters";
/// What is missing.
pub const LOST: &str = "Difference";
/// Nothing was read.
pub const UNHEARD: &str = "No readings";
/// The link that moves.
pub const MOVE: &str = "Move";
/// What can be done.
pub const ACTIONS: &str = "Actions";
/// A loss that is to be looked at.
pub const NOTABLE: &str = "Look at this";
/// The way to all trees.
pub const ALL: &str = "All principal meters";
/// The way to a tree that is closed.
pub const OPEN: &str = "Show";
/// Where there are no principal meters.
pub const EMPTY: &str = "There are no principal meters yet.";
/// What to do then.
pub const EMPTY_NEXT: &str =
    "Edit a meter and mark it as a principal meter, then move its sub-meters below it.";
/// The way to the fleet.
pub const TO_FLEET: &str = "To the fleet";
/// How dragging works.
pub const DRAG: &str = "Drag a meter onto another one to hang it below, or use Move.";
/// Where a meter is dropped to have no parent.
pub const NO_PARENT: &str = "Drop a meter here to take it out from below another one.";
/// A place at the top.
pub const AT_TOP: &str = "Nowhere: it stands at the top";
/// The field to search in.
pub const SEARCH: &str = "Find a meter by EUI or name";
/// The button that searches.
pub const FIND: &str = "Find";
/// Where it is to hang.
pub const WHERE: &str = "Below which meter?";
/// A search that found nothing.
pub const NONE_FITS: &str = "No meter fits.";
/// The button that moves.
pub const DO_IT: &str = "Move";
/// The way back.
pub const CANCEL: &str = "Cancel";
/// Between two meters in the dialog.
pub const BELOW_WHICH: &str = "below";
/// Above the dialog.
pub const ASK: &str = "Move this meter?";
/// What moving means.
pub const MEANS: &str = "All that hangs below it comes along.";

/// Over which days.
pub fn span(days: u16) -> String {
    format!("Consumption of the last {days} days.")
}

/// What is missing, and its share.
pub fn lost(volume: &str, percent: i64) -> String {
    format!("{volume} ({percent} %)")
}

/// How many sub-meters were not heard.
pub fn unheard(count: usize) -> String {
    match count {
        1 => "1 without readings".into(),
        _ => format!("{count} without readings"),
    }
}

/// How many meters below are not shown.
pub fn hidden(count: usize) -> String {
    format!("{count} below")
}

/// What is moved.
pub fn question(name: &str) -> String {
    format!("Move {name}")
}

/// How many are not offered.
pub fn others(count: u64) -> String {
    format!("{count} more: find them by name.")
}

/// It was moved.
pub fn moved(name: &str, level: u8) -> String {
    format!("{name} is at level {level} now.")
}
