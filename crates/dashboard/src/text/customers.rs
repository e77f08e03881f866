//! Of the pages of customers.

/// The list.
pub const TITLE: &str = "Customers";
/// What there is where there is none.
pub const NONE: &str = "There are no customers yet. A customer is a community or a building whose meters \
                        belong together: create the first one, then register its devices.";
/// To make one.
pub const NEW: &str = "New customer";
/// Makes it.
pub const CREATE: &str = "Create the customer";
/// How many people belong to it.
pub const END_USERS: &str = "End users";
/// Where to call.
pub const PHONE: &str = "Phone";
/// Where it is.
pub const ADDRESS: &str = "Address";
/// Whose days are its days.
pub const TIME_ZONE: &str = "Time zone";
/// What an empty one means.
pub const TIME_ZONE_HINT: &str = "An IANA name such as Europe/Lisbon. Without one, your organisation's \
                                  time zone is meant.";
/// What deleting means.
pub const DELETE_HINT: &str = "The customer is gone for good. It cannot be deleted while devices or end \
                               users belong to it.";

/// It was made.
pub fn created(name: &str) -> String {
    format!("Customer {name} is created.")
}

/// It was changed.
pub fn saved(name: &str) -> String {
    format!("Customer {name} is saved.")
}

/// It was deleted.
pub fn deleted(name: &str) -> String {
    format!("Customer {name} is deleted.")
}
