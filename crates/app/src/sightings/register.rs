//! Registering devices that were sending already.

use std::collections::{BTreeSet, HashMap};

use weir_domain::{
    CustomerId, Device, DeviceId, DeviceKey, Eui, Name, NewDevice, Refusal, Timestamp,
};
use weir_store::{Change, Scope, Sighting, WriteTx};

use crate::devices::bulk::{distinct, reload};
use crate::devices::{Remembered, adopt};
use crate::{AppResult, Env, customers};

/// What remembered EUIs are to be registered as.
#[derive(Debug, Clone)]
pub struct Intended {
    /// The customer they are to belong to.
    pub customer: CustomerId,
    /// What their names begin with.
    pub name_prefix: String,
}

/// What became of EUIs, both parts in the order of the request.
#[derive(Debug, Clone, Default)]
pub struct Registered {
    /// The new devices, with what they adopted.
    pub devices: Vec<Device>,
    /// What was refused, and why.
    pub failed: Vec<(Eui, Refusal)>,
}

/// Registers remembered EUIs for a customer and adopts what was remembered of them. They are named by
/// the prefix and the device name in their uplinks, else their EUI. An EUI that is repeated counts
/// once.
///
/// An EUI that is not remembered, or that a live device of whomever goes by, fails alone. Refused
/// where there is no such customer.
pub fn register(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    intended: &Intended,
    euis: &[Eui],
) -> AppResult<Registered> {
    customers::hold(tx, intended.customer)?;
    let euis = distinct(euis);
    let known = tx.sightings_by_euis(&euis)?;
    let known: HashMap<Eui, Sighting> =
        known.into_iter().map(|sighting| (sighting.dev_eui, sighting)).collect();
    let mut registered: HashMap<Eui, DeviceId> = HashMap::new();
    let mut adopted: Vec<(DeviceKey, Remembered)> = Vec::new();
    // Claims are taken in one order by everybody, so that two of these do not wait for each other.
    for dev_eui in euis.iter().copied().collect::<BTreeSet<Eui>>() {
        let Some(sighting) = known.get(&dev_eui) else { continue };
        if !tx.eui_claim(dev_eui)? {
            continue;
        }
        let device = new_device(env, env.now(), dev_eui, sighting, intended);
        let key = tx.device_insert(&device)?;
        if let Some(remembered) = tx.sighting_take(dev_eui)? {
            adopted.push((key, remembered));
        }
        tx.announce(Change::Device(scope.reseller(), dev_eui))?;
        registered.insert(dev_eui, device.id);
    }
    adopt(tx, adopted)?;
    let ids: Vec<DeviceId> = euis.iter().filter_map(|eui| registered.get(eui).copied()).collect();
    let failed = euis.into_iter().filter(|eui| !registered.contains_key(eui));
    let failed = failed.map(|eui| match known.contains_key(&eui) {
        true => (eui, Refusal::DeviceAlreadyExists(None)),
        false => (eui, Refusal::DeviceNotFound),
    });
    let failed = failed.collect();
    Ok(Registered { devices: reload(tx, &ids)?, failed })
}

fn new_device(
    env: &Env,
    now: Timestamp,
    dev_eui: Eui,
    sighting: &Sighting,
    intended: &Intended,
) -> NewDevice {
    NewDevice {
        id: DeviceId::from_uuid(env.ids.next(now)),
        dev_eui,
        name: named(&intended.name_prefix, sighting.telemetry.device_name.as_ref(), dev_eui),
        parent: None,
        is_principal: false,
        hierarchy_level: 0,
        customer: Some(intended.customer),
        created_at: now,
    }
}

/// The prefix and the name in the uplinks, else the EUI; cut to the length of a name.
fn named(prefix: &str, device_name: Option<&Name>, dev_eui: Eui) -> Name {
    let own = device_name.map_or(dev_eui.as_str(), Name::as_str);
    Name::salvage(&format!("{prefix}{own}")).unwrap_or_else(|| Name::stored(dev_eui.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_named_by_prefix_and_uplink() {
        let dev_eui = Eui::parse("70B3D57ed02a3654").unwrap();
        let meter = Name::parse("meter-b1").unwrap();
        let name = |prefix: &str, device_name| named(prefix, device_name, dev_eui).to_string();
        assert_eq!(name("", Some(&meter)), "meter-b1");
        assert_eq!(name("Riverside ", Some(&meter)), "Riverside meter-b1");
        assert_eq!(name("Riverside ", None), "Riverside 70B3D57ed02a3654");
        assert_eq!(name("", None), "70B3D57ed02a3654");
        assert_eq!(name(&"x".repeat(255), Some(&meter)), "x".repeat(255));
    }
}
