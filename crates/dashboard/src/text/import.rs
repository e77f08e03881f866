//! Texts of importing a table.

/// The title.
pub const TITLE: &str = "Import meters";
/// Which columns there are.
pub const COLUMNS: &str = "The first line names the columns; dev_eui and name are required:";
/// The file.
pub const FILE: &str = "CSV file";
/// The table as text.
pub const TABLE: &str = "… or paste the table";
/// Whether meters take over what they sent before.
pub const ADOPT: &str = "Take over what the meters sent before they were registered";
/// The button that previews.
pub const PREVIEW: &str = "Preview";
/// The rows that can be imported.
pub const GOOD: &str = "Will be registered";
/// The rows that cannot.
pub const BAD: &str = "Cannot be imported";
/// The line in the file.
pub const LINE: &str = "Line";
/// The EUI.
pub const DEV_EUI: &str = "EUI";
/// The name.
pub const NAME: &str = "Name";
/// The meter above.
pub const PARENT: &str = "Parent";
/// Its customer.
pub const CUSTOMER: &str = "Customer";
/// Its end user.
pub const END_USER: &str = "End user";
/// Whether it is a principal meter.
pub const PRINCIPAL: &str = "Principal";
/// What is wrong.
pub const REASON: &str = "Why";
/// Yes.
pub const YES: &str = "Yes";
/// The button that imports.
pub const IMPORT: &str = "Import these meters";
/// The way back to the form.
pub const AGAIN: &str = "Another table";
/// The way to the fleet.
pub const BACK: &str = "Back to the fleet";

/// How much there may be.
pub fn limit(rows: usize, bytes: u64) -> String {
    let bytes = crate::format::number(bytes);
    format!(
        "Up to {rows} rows and {bytes} bytes, separated by commas, semicolons or tabs. Customers and \
         end users are named by name or id."
    )
}

/// What an import would do.
pub fn preview(good: usize, bad: usize) -> String {
    match bad {
        0 => format!("{good} of {good} rows can be imported."),
        _ => format!("{good} of {} rows can be imported; {bad} will be passed over.", good + bad),
    }
}

/// How many rows are not shown.
pub fn more(count: usize) -> String {
    format!("… and {count} more")
}

/// What an import did.
pub fn imported(succeeded: usize, failed: usize) -> String {
    match failed {
        0 => format!("{succeeded} meters registered."),
        _ => format!("{succeeded} meters registered, {failed} rows passed over."),
    }
}
