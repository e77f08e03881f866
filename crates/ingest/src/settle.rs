//! One transaction of the settler: records in, readings and device states out, exactly once.

use std::collections::{BTreeMap, HashMap};

use weir_domain::consumption::kept::until_after;
use weir_domain::{DeviceKey, Eui, Month, Reading, ResellerId, SpoolId, Telemetry};
use weir_store::{
    Change, DeviceState, Lanes, Sighting, SightingReading, StoreError, StoreResult, SystemTx,
    WriteTx,
};

use crate::days;
use crate::record::{Addressee, Record};

/// How many EUIs are remembered per reseller; older ones make way.
pub const MAX_SIGHTINGS: u64 = 10_000;
/// How many readings of them are remembered per reseller; older ones make way.
pub const MAX_SIGHTING_READINGS: u64 = 200_000;

/// A record with its place in the spool.
pub type Numbered = (u64, Record);

/// Settles the records in some lanes of a spool, all of those that follow one another up to and
/// including `through`. Those that their lane's position has passed are settled already and are left
/// alone: that is what makes it exactly once. How many were not.
pub fn settle(
    tx: &mut dyn SystemTx,
    spool: SpoolId,
    records: &[Numbered],
    lanes: &Lanes,
    through: u64,
) -> StoreResult<usize> {
    let positions = tx.spool_positions(spool)?;
    let mut by_reseller: BTreeMap<ResellerId, Vec<&Record>> = BTreeMap::new();
    for (sequence, record) in records {
        if *sequence > positions.of(record.lane()) {
            by_reseller.entry(record.reseller).or_default().push(record);
        }
    }
    let settled = by_reseller.values().map(Vec::len).sum();
    for (reseller, records) in by_reseller {
        settle_reseller(tx.scoped(reseller)?, spool, &records)?;
    }
    tx.spool_position_store(spool, lanes, through)?;
    Ok(settled)
}

fn settle_reseller(tx: &mut dyn WriteTx, spool: SpoolId, records: &[&Record]) -> StoreResult<()> {
    let euis = unregistered(records);
    // In this order: what is remembered of an EUI is locked before it is looked for among the devices,
    // so that nobody registers it in between.
    let sighted = if euis.is_empty() { Vec::new() } else { tx.sightings_by_euis(&euis)? };
    let registered: HashMap<Eui, DeviceKey> = match euis.is_empty() {
        true => HashMap::new(),
        false => tx.device_keys_by_euis(&euis)?.into_iter().collect(),
    };
    let mut for_devices: Vec<(DeviceKey, &Record)> = Vec::with_capacity(records.len());
    let mut for_nobody: Vec<(Eui, &Record)> = Vec::new();
    let mut counted: BTreeMap<Month, i64> = BTreeMap::new();
    for &record in records {
        match record.to {
            Addressee::Device(device) => {
                *counted.entry(record.month).or_default() += 1;
                for_devices.push((device, record));
            }
            Addressee::Unregistered(eui) => match registered.get(&eui) {
                Some(&device) => for_devices.push((device, record)),
                None => for_nobody.push((eui, record)),
            },
        }
    }
    settle_devices(tx, spool, &for_devices)?;
    settle_sightings(tx, sighted, &for_nobody)?;
    for (month, requests) in counted {
        tx.quota_settle(month, spool, requests)?;
    }
    Ok(())
}

/// The EUIs that nobody went by when they were heard, each once.
fn unregistered(records: &[&Record]) -> Vec<Eui> {
    let eui = |record: &&Record| match record.to {
        Addressee::Unregistered(eui) => Some(eui),
        Addressee::Device(_) => None,
    };
    let mut euis: Vec<Eui> = records.iter().filter_map(eui).collect();
    euis.sort();
    euis.dedup();
    euis
}

fn settle_devices(
    tx: &mut dyn WriteTx,
    spool: SpoolId,
    records: &[(DeviceKey, &Record)],
) -> StoreResult<()> {
    let mut keys: Vec<DeviceKey> = records.iter().map(|(device, _)| *device).collect();
    keys.sort();
    keys.dedup();
    if keys.is_empty() {
        return Ok(());
    }
    let mut states: HashMap<DeviceKey, DeviceState> =
        tx.device_states(&keys)?.into_iter().map(|state| (state.key, state)).collect();
    let mut readings: Vec<(DeviceKey, Reading)> = Vec::with_capacity(records.len());
    for (device, record) in records {
        let state = states.get_mut(device).ok_or_else(|| {
            StoreError::Refused(format!("there is no device {} of the record's reseller", device.0))
        })?;
        state.telemetry.absorb(&record.message());
        state.days_until = until_after(state.days_until, &record.readings);
        if state.is_live {
            state.status = state.status.heard();
        }
        readings.extend(record.readings.iter().map(|&reading| (*device, reading)));
    }
    readings.sort_by_key(|(device, reading)| (*device, reading.time, reading.volume));
    tx.readings_append(&readings)?;
    let mut states: Vec<DeviceState> = keys.iter().filter_map(|key| states.remove(key)).collect();
    days::keep(tx, &mut states)?;
    tx.device_states_store(&states)?;
    for part in keys.chunks(Change::MAX_SETTLED) {
        tx.announce(Change::Settled(spool, part.to_vec()))?;
    }
    Ok(())
}

fn settle_sightings(
    tx: &mut dyn WriteTx,
    sighted: Vec<Sighting>,
    records: &[(Eui, &Record)],
) -> StoreResult<()> {
    if records.is_empty() {
        return Ok(());
    }
    let mut known: HashMap<Eui, Sighting> =
        sighted.into_iter().map(|sighting| (sighting.dev_eui, sighting)).collect();
    let mut heard: BTreeMap<Eui, Sighting> = BTreeMap::new();
    let mut readings = Vec::with_capacity(records.len());
    for &(eui, record) in records {
        let fresh = || Sighting { dev_eui: eui, telemetry: Telemetry::default() };
        let sighting = heard.entry(eui).or_insert_with(|| known.remove(&eui).unwrap_or_else(fresh));
        sighting.dev_eui = eui;
        sighting.telemetry.absorb(&record.message());
        let received_at = record.received_at;
        readings.extend(record.readings.iter().map(|&reading| SightingReading {
            eui,
            reading,
            received_at,
        }));
    }
    tx.sightings_store(&heard.into_values().collect::<Vec<_>>())?;
    tx.sighting_readings_append(&readings)?;
    tx.sightings_evict(MAX_SIGHTINGS, MAX_SIGHTING_READINGS)
}
