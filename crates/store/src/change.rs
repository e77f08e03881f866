//! News of committed changes, for caches in this process and on other nodes.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, RwLock};

use uuid::Uuid;
use weir_domain::{DeviceKey, Eui, ResellerId, SpoolId};

/// Something that others may have cached has changed. A transaction announces it; it is told to every
/// listener after the commit, on the node that did it before the call returns, elsewhere within a
/// second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A reseller, one of its tenant names, its quota, one of its API keys or one of its members.
    Reseller(ResellerId),
    /// The device that goes by this EUI: registered, deleted or restored.
    Device(ResellerId, Eui),
    /// Uplinks of these devices were settled from a spool.
    Settled(SpoolId, Vec<DeviceKey>),
}

/// Receives changes. It must not block and must not call the store.
pub trait Listener: Send + Sync {
    /// A change was committed.
    fn changed(&self, change: &Change);

    /// Changes may have been missed: everything cached is to be checked again before it is trusted.
    fn missed(&self);
}

/// The listeners of one store.
#[derive(Clone, Default)]
pub struct Listeners(Arc<RwLock<Vec<Arc<dyn Listener>>>>);

impl Listeners {
    /// Adds a listener for the life of the store.
    pub fn add(&self, listener: Arc<dyn Listener>) {
        self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner).push(listener);
    }

    /// Tells everyone of a change.
    pub fn tell(&self, change: &Change) {
        self.each(|listener| listener.changed(change));
    }

    /// Tells everyone that changes may have been missed.
    pub fn tell_missed(&self) {
        self.each(|listener| listener.missed());
    }

    fn each(&self, tell: impl Fn(&dyn Listener)) {
        for listener in self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).iter() {
            tell(listener.as_ref());
        }
    }
}

/// The text is not a change that this version knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a change that this version knows")]
pub struct NotAChange;

impl Change {
    /// How many devices one settled change may name, so that its text stays below the 8000 bytes
    /// of a PostgreSQL notification.
    pub const MAX_SETTLED: usize = 400;
}

/// The form in which changes travel between nodes.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reseller(reseller) => write!(f, "reseller {reseller}"),
            Self::Device(reseller, eui) => write!(f, "device {reseller} {eui}"),
            Self::Settled(spool, devices) => {
                write!(f, "settled {spool}")?;
                devices.iter().try_for_each(|device| write!(f, " {:x}", device.0))
            }
        }
    }
}

impl FromStr for Change {
    type Err = NotAChange;

    fn from_str(text: &str) -> Result<Self, NotAChange> {
        let mut words = text.split(' ');
        let kind = words.next();
        let id: Uuid = words.next().and_then(|word| word.parse().ok()).ok_or(NotAChange)?;
        match kind {
            Some("reseller") => Ok(Self::Reseller(ResellerId::from_uuid(id))),
            Some("device") => {
                let eui = words.next().and_then(|word| Eui::parse(word).ok()).ok_or(NotAChange)?;
                Ok(Self::Device(ResellerId::from_uuid(id), eui))
            }
            Some("settled") => {
                let devices: Result<Vec<_>, _> =
                    words.map(|word| i64::from_str_radix(word, 16).map(DeviceKey)).collect();
                Ok(Self::Settled(SpoolId::from_uuid(id), devices.map_err(|_| NotAChange)?))
            }
            _ => Err(NotAChange),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_travel_as_text() {
        let id = Uuid::from_u128(0xabc);
        let keys: Vec<_> =
            (0..Change::MAX_SETTLED as i64).map(|n| DeviceKey(i64::from(u32::MAX) + n)).collect();
        for change in [
            Change::Reseller(ResellerId::from_uuid(id)),
            Change::Device(ResellerId::from_uuid(id), Eui::from_bits(7)),
            Change::Settled(SpoolId::from_uuid(id), keys),
        ] {
            let text = change.to_string();
            assert!(text.len() < 8000);
            assert_eq!(text.parse(), Ok(change));
        }
        assert_eq!("tenant x".parse::<Change>(), Err(NotAChange));
    }
}
