//! What the rules refuse.

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
    /// A value that fits its schema and makes no sense.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
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
            Self::HierarchyTooDeep => "HIERARCHY_TOO_DEEP",
            Self::ResellerNotFound(_) => "RESELLER_NOT_FOUND",
            Self::ApiKeyNotFound(_) => "API_KEY_NOT_FOUND",
            Self::Invalid { .. }
            | Self::TenantNameTaken(_)
            | Self::ResellerPending { .. }
            | Self::ApiKeyNameTaken(_) => "VALIDATION_ERROR",
        }
    }
}
