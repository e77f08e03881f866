//! Devices: registered water meters.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{CustomerId, DeviceId, DeviceKey, EndUserId, Eui, Name, Telemetry, Timestamp};

/// The only kind of device there is.
pub const DEVICE_TYPE: &str = "water_meter";

/// How long after its last message a device still counts as online.
pub const ONLINE_WINDOW: Duration = Duration::from_secs(48 * 60 * 60);

/// The state of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Heard within the online window.
    Online,
    /// Not heard yet, or not for a while.
    Offline,
    /// Taken out of automatic management by a person.
    Maintenance,
}

impl Status {
    /// The word for it, in responses and in stores.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Online => "online",
            Self::Offline => "offline",
            Self::Maintenance => "maintenance",
        }
    }

    /// The status after a message of a live device.
    #[must_use]
    pub const fn heard(self) -> Self {
        match self {
            Self::Online | Self::Offline => Self::Online,
            Self::Maintenance => Self::Maintenance,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The word is no status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of online, offline, maintenance")]
pub struct NotAStatus;

impl FromStr for Status {
    type Err = NotAStatus;

    fn from_str(word: &str) -> Result<Self, NotAStatus> {
        [Self::Online, Self::Offline, Self::Maintenance]
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or(NotAStatus)
    }
}

/// What a person can set a device's status to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManualStatus {
    /// Out of automatic management.
    Maintenance,
    /// Back into it.
    Auto,
}

impl ManualStatus {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Maintenance => "maintenance",
            Self::Auto => "auto",
        }
    }

    /// Reads the word; anything else, `online` and `offline` included, is refused.
    pub fn parse(word: &str) -> Result<Self, crate::Refusal> {
        [Self::Maintenance, Self::Auto]
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or(crate::Refusal::InvalidStatus)
    }
}

/// A device as it is to be registered. Its readings and messages are still to come.
#[derive(Debug, Clone, PartialEq)]
pub struct NewDevice {
    /// Its id.
    pub id: DeviceId,
    /// Its EUI as the caller wrote it.
    pub dev_eui: Eui,
    /// Its display name.
    pub name: Name,
    /// The device above it.
    pub parent: Option<DeviceId>,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// Its level in the tree, which follows from its parent.
    pub hierarchy_level: u8,
    /// The customer it belongs to directly.
    pub customer: Option<CustomerId>,
    /// When it is registered.
    pub created_at: Timestamp,
}

/// A registered device.
#[derive(Debug, Clone, PartialEq)]
pub struct Device {
    /// The number under which its store keeps it.
    pub key: DeviceKey,
    /// Its id.
    pub id: DeviceId,
    /// Its EUI as it was registered.
    pub dev_eui: Eui,
    /// Its display name.
    pub name: Name,
    /// The stored status. What is shown is [`Device::status_at`].
    pub status: Status,
    /// The billing flag.
    pub is_active: bool,
    /// The end user it is assigned to.
    pub end_user: Option<EndUserId>,
    /// The customer it belongs to by itself.
    pub own_customer: Option<CustomerId>,
    /// Its effective customer: its end user's, else its own.
    pub customer: Option<CustomerId>,
    /// The name of its effective customer.
    pub customer_name: Option<Name>,
    /// The device above it.
    pub parent: Option<DeviceId>,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// Its level in the tree: 0 without a parent, else the parent's and one.
    pub hierarchy_level: u8,
    /// What its messages said.
    pub telemetry: Telemetry,
    /// When it was soft-deleted.
    pub deleted_at: Option<Timestamp>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last changed through the API.
    pub updated_at: Timestamp,
}

impl Device {
    /// Whether it is live, not soft-deleted.
    pub const fn is_live(&self) -> bool {
        self.deleted_at.is_none()
    }

    /// The status that a person's setting gives it at a moment.
    pub fn status_set(&self, to: ManualStatus, now: Timestamp) -> Status {
        match to {
            ManualStatus::Maintenance => Status::Maintenance,
            ManualStatus::Auto if heard_recently(self.telemetry.last_reading_at, now) => {
                Status::Online
            }
            ManualStatus::Auto => Status::Offline,
        }
    }

    /// The status to show at a moment: a device that is stored as online and was not heard for
    /// [`ONLINE_WINDOW`] is offline from that moment on, without anyone sweeping.
    pub fn status_at(&self, now: Timestamp) -> Status {
        match self.status {
            Status::Online if !heard_recently(self.telemetry.last_seen_at, now) => Status::Offline,
            status => status,
        }
    }
}

fn heard_recently(last_seen_at: Option<Timestamp>, now: Timestamp) -> bool {
    last_seen_at.is_some_and(|seen| seen > now.minus(ONLINE_WINDOW))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    #[test]
    fn a_silent_device_is_offline_from_the_48th_hour_on() {
        let shown = |now: Timestamp| heard_recently(Some(SEEN), now);
        assert!(shown(SEEN));
        assert!(shown(SEEN.plus(ONLINE_WINDOW).minus(Duration::from_micros(1))));
        assert!(!shown(SEEN.plus(ONLINE_WINDOW)));
        assert!(!heard_recently(None, SEEN));
    }

    #[test]
    fn a_message_never_ends_maintenance() {
        assert_eq!(Status::Maintenance.heard(), Status::Maintenance);
        assert_eq!(Status::Offline.heard(), Status::Online);
    }
}
