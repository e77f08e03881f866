//! Registering a device.

use weir_domain::refusal::ExistingDevice;
use weir_domain::{Device, DeviceId, Eui, Name, NewDevice, Refusal, hierarchy};
use weir_store::{Change, Scope, WriteTx};

use super::adoption::adopt;
use crate::{AppResult, Env};

/// A device that is to be registered.
#[derive(Debug, Clone)]
pub struct Registration {
    /// Its EUI, as it is to be shown.
    pub dev_eui: Eui,
    /// Its display name.
    pub name: Name,
    /// The live device above it.
    pub parent: Option<DeviceId>,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// Whether it takes over what was remembered of its EUI; else that is forgotten.
    pub adopt_readings: bool,
}

/// Registers a device: offline, active, its level one below its parent's. What it shows is the device
/// as it was registered; what it adopted shows at the next look.
///
/// Refused where a live device of any reseller goes by its EUI, where the parent is not a live device
/// of this reseller, and where it would lie too deep.
pub fn register(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    registration: &Registration,
) -> AppResult<Device> {
    tx.lock_device_tree()?;
    let parent_level = match registration.parent {
        None => None,
        Some(id) => {
            let parent = tx.device_by_id(id)?.filter(Device::is_live);
            Some(parent.ok_or(Refusal::ParentDeviceNotFound)?.hierarchy_level)
        }
    };
    let now = env.now();
    let device = NewDevice {
        id: DeviceId::from_uuid(env.ids.next(now)),
        dev_eui: registration.dev_eui,
        name: registration.name.clone(),
        parent: registration.parent,
        is_principal: registration.is_principal,
        hierarchy_level: hierarchy::level_under(parent_level)?,
        customer: None,
        created_at: now,
    };
    if !tx.eui_claim(device.dev_eui)? {
        return Err(Refusal::DeviceAlreadyExists(own_device(tx, device.dev_eui)?).into());
    }
    let key = tx.device_insert(&device)?;
    let registered = super::find(tx, super::DeviceRef::Id(device.id))?;
    if let Some(remembered) = tx.sighting_take(device.dev_eui)?
        && registration.adopt_readings
    {
        adopt(tx, vec![(key, remembered)])?;
    }
    tx.announce(Change::Device(scope.reseller(), device.dev_eui))?;
    Ok(registered)
}

/// The reseller's own device in the way, if it is its own.
pub(super) fn own_device(tx: &mut dyn WriteTx, eui: Eui) -> AppResult<Option<ExistingDevice>> {
    let own = tx.device_live_by_eui(eui)?;
    Ok(own.map(|device| ExistingDevice {
        id: device.id,
        dev_eui: device.dev_eui,
        name: device.name,
    }))
}
