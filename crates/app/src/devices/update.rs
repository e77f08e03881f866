//! Changing what a person says about a device.

use weir_domain::{Device, DeviceId, Name};
use weir_store::WriteTx;

use super::hold::hold;
use super::place::place;
use super::{DeviceRef, find};
use crate::{AppResult, Env};

/// What is to be changed; what is `None` stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceChange {
    /// Another display name.
    pub name: Option<Name>,
    /// Another device name, or none; the next uplink that brings one has the next word.
    pub device_name: Option<Option<Name>>,
    /// Another parent, or none.
    pub parent: Option<Option<DeviceId>>,
    /// Whether it is a principal meter.
    pub is_principal: Option<bool>,
    /// Whether it counts toward billing.
    pub is_active: Option<bool>,
}

/// Changes a live device. Refused where it is not live, and where a change of its parent is refused
/// as setting the parent alone would be; then nothing is changed.
pub fn update(
    tx: &mut dyn WriteTx,
    env: &Env,
    device: DeviceRef,
    change: &DeviceChange,
) -> AppResult<Device> {
    if change.parent.is_some() {
        tx.lock_device_tree()?;
    }
    let mut device = hold(tx, device)?;
    if let Some(parent) = change.parent {
        place(tx, &mut device, parent)?;
    }
    if let Some(name) = &change.name {
        device.name = name.clone();
    }
    if let Some(device_name) = &change.device_name {
        device.telemetry.device_name = device_name.clone();
    }
    device.is_principal = change.is_principal.unwrap_or(device.is_principal);
    device.is_active = change.is_active.unwrap_or(device.is_active);
    device.updated_at = env.now();
    let id = device.id;
    tx.devices_store(&[device])?;
    find(tx, DeviceRef::Id(id))
}
