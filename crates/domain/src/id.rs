//! Identifiers. Each kind is a type of its own, so that one cannot stand where another is meant.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Timestamp, Volume};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// The id that this UUID is.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID that this id is.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

ids! {
    /// A reseller: the tenant.
    ResellerId;
    /// An API key.
    ApiKeyId;
    /// A member of a reseller: someone who signs in for it.
    MemberId;
    /// A session of someone who signed in here.
    SessionId;
    /// A device, as the outside names it.
    DeviceId;
    /// A customer of a reseller: a community of end users.
    CustomerId;
    /// An end user, to whom devices are assigned.
    EndUserId;
    /// A change of a device's end user.
    OwnershipId;
    /// A reading. See [`ReadingId::of`].
    ReadingId;
    /// A spool, born with its files: positions and leases are kept under it.
    SpoolId;
}

impl ReadingId {
    /// The id of a reading follows from what makes it that reading: its device, time and volume. It
    /// is the same for every repeat, and no column or index is spent on it.
    pub fn of(device: DeviceId, time: Timestamp, volume: Volume) -> Self {
        let mut name = [0; 16];
        name[..8].copy_from_slice(&time.micros().to_be_bytes());
        name[8..].copy_from_slice(&volume.millilitres().to_be_bytes());
        Self(Uuid::new_v5(&device.uuid(), &name))
    }
}

/// The small number under which a store keeps a device and its readings. It never leaves the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeviceKey(pub i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_keeps_its_id_and_shares_it_with_no_other() {
        let device = DeviceId::from_uuid(Uuid::from_u128(1));
        let other = DeviceId::from_uuid(Uuid::from_u128(2));
        let (at, volume) = (Timestamp::from_micros(5), Volume::from_millilitres(7));
        let id = ReadingId::of(device, at, volume);
        assert_eq!(id, ReadingId::of(device, at, volume));
        assert_ne!(id, ReadingId::of(other, at, volume));
        assert_ne!(
            id,
            ReadingId::of(device, Timestamp::from_micros(7), Volume::from_millilitres(5))
        );
    }
}
