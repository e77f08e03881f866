//! Texts of registering a device.

/// The title.
pub const TITLE: &str = "Register a meter";
/// Its EUI.
pub const DEV_EUI: &str = "EUI (16 hexadecimal characters)";
/// Its name.
pub const NAME: &str = "Name";
/// The meter above it.
pub const PARENT: &str = "EUI of the meter above it (optional)";
/// Its customer.
pub const CUSTOMER: &str = "Customer, by name or id (optional)";
/// Its end user.
pub const END_USER: &str = "End user, by name or id (optional)";
/// Whether it is a principal meter.
pub const PRINCIPAL: &str = "Principal meter";
/// Whether it takes over what it sent before.
pub const ADOPT: &str = "Take over what it sent before it was registered";
/// The button.
pub const REGISTER: &str = "Register";
/// The way back.
pub const CANCEL: &str = "Cancel";

/// It was done.
pub fn registered(name: &str) -> String {
    format!("{name} is registered.")
}

/// A name or id that means nobody.
pub fn unknown(written: &str) -> String {
    format!("{written} is not known")
}

/// A name that means several.
pub fn ambiguous(written: &str, count: usize) -> String {
    format!("{count} are called {written}: write the id instead")
}

/// An end user whose customer is not the one that is named.
pub fn of_another_customer(written: &str) -> String {
    format!("{written} belongs to another customer")
}
