//! Of the page of unregistered devices.

/// The page.
pub const TITLE: &str = "Unregistered devices";
/// What they are.
pub const ABOUT: &str = "These devices send uplinks for your organisation, but are not registered. What \
                         they sent is remembered. Adopt one, and its readings are there from the first on.";
/// What there is where there is none.
pub const NONE: &str =
    "No unregistered device has sent anything. As soon as one does, it is listed here.";
/// For those who have no customer yet.
pub const NO_CUSTOMER: &str = "A device is adopted for a customer, and there is none yet.";
/// The way to make one.
pub const CREATE_CUSTOMER: &str = "Create a customer";
/// For whom.
pub const CUSTOMER: &str = "Adopt for customer";
/// What names begin with.
pub const PREFIX: &str = "Names begin with (optional)";
/// Its number.
pub const EUI: &str = "Device EUI";
/// What its uplinks call it.
pub const DEVICE_NAME: &str = "Name in its uplinks";
/// When it was heard first.
pub const FIRST_SEEN: &str = "First heard";
/// When it was heard last.
pub const LAST_SEEN: &str = "Last heard";
/// How often it was heard.
pub const MESSAGES: &str = "Messages";
/// What can be done.
pub const ACTIONS: &str = "Actions";
/// Adopts one.
pub const ADOPT: &str = "Adopt";
/// Adopts all that are seen.
pub const ADOPT_SHOWN: &str = "Adopt all of this page";
/// Where nothing was chosen.
pub const CHOOSE: &str = "Choose a customer and at least one device.";

/// What came of it.
pub fn adopted(count: usize) -> String {
    match count {
        1 => "1 device is registered, with what it sent so far.".to_owned(),
        count => format!("{count} devices are registered, with what they sent so far."),
    }
}
