//! Of the pages of end users.

/// The list.
pub const TITLE: &str = "End users";
/// What there is where there is none.
pub const NONE: &str = "There are no end users yet. An end user is a person whose meter it is: create one, \
                        then assign a device to them on the device's page.";
/// To make one.
pub const NEW: &str = "New end user";
/// Makes it.
pub const CREATE: &str = "Create the end user";
/// Whom they belong to.
pub const CUSTOMER: &str = "Customer";
/// Whichever.
pub const ANY_CUSTOMER: &str = "Any customer";
/// They belong to nobody.
pub const NO_CUSTOMER: &str = "No customer";
/// What moving them means.
pub const CUSTOMER_HINT: &str =
    "Devices that are assigned to them follow them to another customer.";
/// What deleting means.
pub const DELETE_HINT: &str = "The end user is gone for good; records of what they owned stay. They cannot \
                               be deleted while a device is assigned to them.";

/// They were made.
pub fn created(name: &str) -> String {
    format!("End user {name} is created.")
}

/// They were changed.
pub fn saved(name: &str) -> String {
    format!("End user {name} is saved.")
}

/// They were deleted.
pub fn deleted(name: &str) -> String {
    format!("End user {name} is deleted.")
}
