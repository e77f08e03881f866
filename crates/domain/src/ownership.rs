//! Who a device belonged to.

use crate::{DeviceId, EndUserId, OwnershipId, Timestamp};

/// One change of a device's end user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnershipRecord {
    /// Its id.
    pub id: OwnershipId,
    /// The device.
    pub device: DeviceId,
    /// Who had it before.
    pub previous: Option<EndUserId>,
    /// Who has it since.
    pub new: Option<EndUserId>,
    /// When it changed.
    pub changed_at: Timestamp,
    /// The name of the API key, or the e-mail of the user, that changed it.
    pub changed_by: String,
    /// Whether there is a final consumption report of the previous owner.
    pub has_report: bool,
    /// Remarks.
    pub notes: Option<String>,
}
