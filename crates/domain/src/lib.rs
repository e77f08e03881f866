//! What is true, whoever asks and wherever it is kept.
//!
//! Everything here is a value or a pure function: no IO, no async, no clock, no chance. A rule of the
//! service lives in exactly one of these modules, above two stores that have no opinions.
//!
//! | looking for | module |
//! |---|---|
//! | how an EUI compares, how a volume is rounded, how a timestamp is read and written | [`eui`], [`volume`], [`time`] |
//! | what a name may be, what a tenant name matches | [`name`] |
//! | how an e-mail address is read | [`contact`] |
//! | who people are, who signs in for a reseller and what they may do | [`person`], [`member`] |
//! | how long links, sessions and signing keys last | [`sign_in`] |
//! | whose a device is once it is assigned | [`ownership`] |
//! | what a device is and when it shows as offline | [`device`] |
//! | what an uplink changes about a device | [`telemetry`] |
//! | which instants a day of a time zone has, what was consumed on it | [`calendar`], [`consumption`] |
//! | levels and depth of the meter tree | [`hierarchy`] |
//! | since when a device counts as seen | [`first_seen`] |
//! | what a reseller is billed | [`billing`] |
//! | what a month of uplinks may hold and how nodes share it | [`quota`] |
//! | which requests are refused, and with which code | [`refusal`] |
//!
//! To add a rule: write it as a function of loaded facts that returns a value or a [`Refusal`], test
//! its laws here, and call it from a use case in `weir-app`.

pub mod battery;
pub mod billing;
pub mod calendar;
pub mod consumption;
pub mod contact;
pub mod customer;
pub mod device;
pub mod end_user;
pub mod eui;
pub mod first_seen;
pub mod hierarchy;
pub mod id;
pub mod member;
pub mod name;
pub mod ownership;
pub mod person;
pub mod quota;
pub mod reading;
pub mod refusal;
pub mod reseller;
pub mod sign_in;
pub mod telemetry;
pub mod time;
pub mod volume;

pub use battery::Battery;
pub use calendar::Calendar;
pub use customer::Customer;
pub use device::{Device, NewDevice, Status};
pub use end_user::EndUser;
pub use eui::Eui;
pub use id::{
    ApiKeyId, CustomerId, DeviceId, DeviceKey, EndUserId, MemberId, OwnershipId, ReadingId,
    ResellerId, SessionId, SpoolId,
};
pub use name::Name;
pub use ownership::OwnershipRecord;
pub use reading::Reading;
pub use refusal::Refusal;
pub use reseller::Reseller;
pub use telemetry::{Position, Telemetry};
pub use time::{Month, Timestamp};
pub use volume::Volume;
