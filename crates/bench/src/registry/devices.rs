//! Devices, with whom they belong to.

use std::collections::HashMap;

use weir_domain::{DeviceId, DeviceKey, EndUserId, NewDevice};
use weir_store::{StoreError, StoreResult, WriteTx};

use super::{People, Registry};
use crate::failure::Failure;
use crate::fleet::{Meter, Owner};

/// How many devices one transaction inserts.
const AT_ONCE: usize = 1_000;

/// A device that is to be inserted.
#[derive(Clone)]
struct Planned {
    device: NewDevice,
    end_user: Option<EndUserId>,
    is_active: bool,
}

impl Registry {
    /// Inserts the devices; their ids and keys.
    pub(super) async fn devices(
        &self,
        people: &People,
        take_a_look: &impl AsyncFn() -> Result<(), Failure>,
    ) -> Result<(Vec<DeviceId>, Vec<DeviceKey>), Failure> {
        let ids: Vec<DeviceId> = self
            .fleet
            .meters()
            .map(|meter| DeviceId::from_uuid(self.ids.next(self.fleet.registered_at(meter))))
            .collect();
        let planned: Vec<Planned> =
            self.fleet.meters().map(|meter| self.planned(meter, &ids, people)).collect();
        let mut keys = Vec::with_capacity(ids.len());
        for (number, some) in planned.chunks(AT_ONCE).enumerate() {
            let some = some.to_vec();
            keys.extend(self.db.write(&self.scope, move |tx| insert(tx, &some)).await?);
            if number == 0 {
                take_a_look().await?;
            }
        }
        Ok((ids, keys))
    }

    fn planned(&self, meter: Meter, ids: &[DeviceId], people: &People) -> Planned {
        let owner = self.fleet.owner(meter);
        let parent = meter.principal().map(|principal| ids[principal.0 as usize]);
        let device = NewDevice {
            id: ids[meter.0 as usize],
            dev_eui: meter.eui(),
            name: meter.name(),
            parent,
            is_principal: meter.is_principal(),
            hierarchy_level: u8::from(parent.is_some()),
            customer: match owner {
                Owner::Customer(number) => Some(people.customers[number as usize]),
                Owner::EndUser(_) | Owner::Nobody => None,
            },
            created_at: self.fleet.registered_at(meter),
        };
        let end_user = match owner {
            Owner::EndUser(number) => Some(people.end_users[number as usize]),
            Owner::Customer(_) | Owner::Nobody => None,
        };
        Planned { device, end_user, is_active: meter.is_active() }
    }
}

/// Inserts devices, and then changes what a new device cannot be: assigned, and not active.
fn insert(tx: &mut dyn WriteTx, planned: &[Planned]) -> StoreResult<Vec<DeviceKey>> {
    let mut keys = Vec::with_capacity(planned.len());
    for Planned { device, .. } in planned {
        if !tx.eui_claim(device.dev_eui)? {
            return Err(StoreError::Refused(format!("{} is claimed already", device.dev_eui)));
        }
        keys.push(tx.device_insert(device)?);
    }
    let changed: HashMap<DeviceId, &Planned> = planned
        .iter()
        .filter(|planned| planned.end_user.is_some() || !planned.is_active)
        .map(|planned| (planned.device.id, planned))
        .collect();
    let ids: Vec<DeviceId> = changed.keys().copied().collect();
    let mut devices = tx.devices_locked(&ids)?;
    for device in &mut devices {
        if let Some(planned) = changed.get(&device.id) {
            (device.end_user, device.is_active) = (planned.end_user, planned.is_active);
        }
    }
    tx.devices_store(&devices)?;
    Ok(keys)
}
