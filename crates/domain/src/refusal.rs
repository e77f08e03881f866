//! What the rules refuse.

use crate::person::Identity;
use crate::{DeviceId, Eui, Name};

/// A request that fits its schema and that the rules refuse. The text is a sentence for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The device is absent, soft-deleted or another reseller's.
    #[error("No such device.")]
    DeviceNotFound,
    /// The EUI is that of a live device; of one's own, its details are told, of another's nothing.
    #[error("A device with this EUI is already registered.")]
    DeviceAlreadyExists(Option<ExistingDevice>),
    /// The parent is absent, soft-deleted or another reseller's.
    #[error("No such parent device.")]
    ParentDeviceNotFound,
    /// A device would come to lie below level 10.
    #[error("The hierarchy would be deeper than 10 levels.")]
    HierarchyTooDeep,
    /// The same, because of items of a list; nothing was changed.
    #[error("The hierarchy would be deeper than 10 levels: {}", bad_items(list, bad))]
    ItemsTooDeep {
        /// The field that holds the list.
        list: &'static str,
        /// What would come to lie too deep below which item; at least one.
        bad: Vec<BadItem>,
    },
    /// The new parent is the device itself or lies below it.
    #[error("A device cannot be its own parent or ancestor.")]
    CircularReference,
    /// A status that cannot be set by hand.
    #[error("The status that can be set is maintenance or auto.")]
    InvalidStatus,
    /// The end user is absent or another reseller's.
    #[error("No such end user.")]
    UserNotFound,
    /// The customer is absent or another reseller's.
    #[error("No such customer.")]
    CustomerNotFound,
    /// Devices of a list are absent, soft-deleted or another reseller's; nothing was changed.
    #[error("{} of the devices cannot be found; nothing was changed.", .0.len())]
    DevicesNotFound(Vec<DeviceId>),
    /// There is no such report.
    #[error("There is no such report.")]
    ReportNotFound,
    /// Something still refers to what is to be deleted.
    #[error(
        "{what} cannot be deleted: {devices} device(s) and {end_users} end user(s) still refer to it."
    )]
    StillReferred {
        /// What is to be deleted, with its article.
        what: &'static str,
        /// How many devices refer to it, soft-deleted ones too.
        devices: u64,
        /// How many end users refer to it.
        end_users: u64,
    },
    /// A value that fits its schema and makes no sense.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Items of a list that fit their schema and make no sense; nothing was changed.
    #[error("{}", bad_items(list, bad))]
    InvalidItems {
        /// The field that holds the list.
        list: &'static str,
        /// What is wrong with which item; at least one.
        bad: Vec<BadItem>,
    },
    /// The reseller does not exist.
    #[error("No reseller is called {0:?}.")]
    ResellerNotFound(String),
    /// A tenant name belongs to another reseller.
    #[error("The tenant name {0:?} is taken by another reseller.")]
    TenantNameTaken(String),
    /// Uplinks of the reseller wait in the spool of a node.
    #[error(
        "Uplinks of this reseller may still wait in the spool of {nodes} node(s). Start or stop these nodes properly, then try again."
    )]
    ResellerPending {
        /// How many nodes hold a lease for it.
        nodes: i64,
    },
    /// The API key does not exist.
    #[error("The reseller has no API key named {0:?}.")]
    ApiKeyNotFound(String),
    /// An API key of that name exists.
    #[error("The reseller already has an API key named {0:?}.")]
    ApiKeyNameTaken(String),
    /// The member is absent or another reseller's.
    #[error("No such member.")]
    MemberNotFound,
    /// Someone who is known by that is a member already.
    #[error("{0} is already a member.")]
    MemberAlreadyExists(Identity),
    /// Without that member nobody could change anything any more who signs in.
    #[error("{0} is the last admin, and stays until there is another one.")]
    LastAdmin(Identity),
}

/// An item of a list that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadItem {
    /// Its place in the list, from 0.
    pub item: usize,
    /// Its field.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

fn bad_items(list: &str, bad: &[BadItem]) -> String {
    match bad {
        [] => format!("{list} makes no sense; nothing was changed."),
        [BadItem { item, field, reason }, more @ ..] => {
            let more = match more.len() {
                0 => String::new(),
                count => format!(", and {count} more"),
            };
            format!("{list}[{item}].{field} {reason}{more}; nothing was changed.")
        }
    }
}

/// One's own device that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExistingDevice {
    /// Its id.
    pub id: DeviceId,
    /// Its EUI.
    pub dev_eui: Eui,
    /// Its name.
    pub name: Name,
}

impl Refusal {
    /// The error code of the interface for it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::DeviceNotFound => "DEVICE_NOT_FOUND",
            Self::DeviceAlreadyExists(_) => "DEVICE_ALREADY_EXISTS",
            Self::ParentDeviceNotFound => "PARENT_DEVICE_NOT_FOUND",
            Self::HierarchyTooDeep | Self::ItemsTooDeep { .. } => "HIERARCHY_TOO_DEEP",
            Self::CircularReference => "CIRCULAR_REFERENCE",
            Self::InvalidStatus => "INVALID_STATUS",
            Self::UserNotFound => "USER_NOT_FOUND",
            Self::CustomerNotFound => "CUSTOMER_NOT_FOUND",
            Self::DevicesNotFound(_) => "DEVICES_NOT_FOUND",
            Self::ReportNotFound => "REPORT_NOT_FOUND",
            Self::ResellerNotFound(_) => "RESELLER_NOT_FOUND",
            Self::ApiKeyNotFound(_) => "API_KEY_NOT_FOUND",
            Self::MemberNotFound => "MEMBER_NOT_FOUND",
            Self::MemberAlreadyExists(_) => "MEMBER_ALREADY_EXISTS",
            Self::Invalid { .. }
            | Self::InvalidItems { .. }
            | Self::StillReferred { .. }
            | Self::TenantNameTaken(_)
            | Self::ResellerPending { .. }
            | Self::LastAdmin(_)
            | Self::ApiKeyNameTaken(_) => "VALIDATION_ERROR",
        }
    }
}
