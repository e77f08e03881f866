//! One reseller, as the suite acts for it.

use weir_domain::quota::QuotaFacts;
use weir_domain::{
    Device, DeviceId, DeviceKey, Eui, Month, NewDevice, Reading, Reseller, ResellerId, Volume,
};

use super::failure::Outcome;
use super::fixtures::{
    BEGINNING, EVERYTHING, MONTH, api_key, device, device_id, reading, scope, seen_at, sighted,
    sighting, spool,
};
use crate::{ApiKey, Db, DeviceState, ReadTx, Scope, Sighting, StoreError, WriteTx};

/// One reseller's way into the store.
#[derive(Clone)]
pub(super) struct Tenant {
    db: Db,
    scope: Scope,
}

impl Tenant {
    /// Someone who may act for that reseller, whether it exists or not.
    pub(super) fn new(db: &Db, id: ResellerId) -> Self {
        Self { db: db.clone(), scope: scope(id) }
    }

    /// Its reseller.
    pub(super) fn id(&self) -> ResellerId {
        self.scope.reseller()
    }

    /// Reads as this reseller.
    pub(super) async fn read<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn ReadTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.read(&self.scope, work).await
    }

    /// Writes as this reseller.
    pub(super) async fn write<R: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn WriteTx) -> Outcome<R> + Send + 'static,
    ) -> Outcome<R> {
        self.db.write(&self.scope, work).await
    }

    /// Inserts the reseller itself.
    pub(super) async fn insert(&self, reseller: &Reseller) -> Outcome {
        let reseller = reseller.clone();
        self.write(move |tx| Ok(tx.reseller_insert(&reseller)?)).await
    }

    /// The reseller itself.
    pub(super) async fn reseller(&self) -> Outcome<Option<Reseller>> {
        self.read(|tx| Ok(tx.reseller()?)).await
    }

    /// Inserts an API key.
    pub(super) async fn add_key(&self, key: &ApiKey) -> Outcome {
        let key = key.clone();
        self.write(move |tx| Ok(tx.api_key_insert(&key)?)).await
    }

    /// Its API keys.
    pub(super) async fn keys(&self) -> Outcome<Vec<ApiKey>> {
        self.read(|tx| Ok(tx.api_keys()?)).await
    }

    /// Claims a device's EUI and inserts it.
    pub(super) async fn register(&self, device: &NewDevice) -> Outcome<DeviceKey> {
        let device = device.clone();
        self.write(move |tx| register(tx, &device)).await
    }

    /// The device of that id.
    pub(super) async fn device(&self, id: DeviceId) -> Outcome<Option<Device>> {
        self.read(move |tx| Ok(tx.device_by_id(id)?)).await
    }

    /// The state of one device.
    pub(super) async fn state(&self, key: DeviceKey) -> Outcome<Option<DeviceState>> {
        self.write(move |tx| Ok(tx.device_states(&[key])?.pop())).await
    }

    /// Stores the state of one device.
    pub(super) async fn store_state(&self, state: &DeviceState) -> Outcome {
        let state = state.clone();
        self.write(move |tx| Ok(tx.device_states_store(std::slice::from_ref(&state))?)).await
    }

    /// Adds readings of one device.
    pub(super) async fn append(&self, device: DeviceKey, readings: &[Reading]) -> Outcome {
        let readings: Vec<_> = readings.iter().map(|reading| (device, *reading)).collect();
        self.write(move |tx| Ok(tx.readings_append(&readings)?)).await
    }

    /// All readings of one device.
    pub(super) async fn readings(&self, device: DeviceKey) -> Outcome<Vec<Reading>> {
        self.read(move |tx| Ok(tx.readings_page(device, crate::From::Time(BEGINNING), u32::MAX)?))
            .await
    }

    /// The newest volumes of some devices.
    pub(super) async fn newest(
        &self,
        devices: &[DeviceKey],
        count: u32,
    ) -> Outcome<Vec<Vec<Volume>>> {
        let devices = devices.to_vec();
        self.read(move |tx| Ok(tx.volumes_newest(&devices, count)?)).await
    }

    /// Stores a sighting with its readings.
    pub(super) async fn sight(&self, sighting: &Sighting, received: &[(Reading, i64)]) -> Outcome {
        let (sighting, bits) = (sighting.clone(), sighting.dev_eui.bits());
        let readings: Vec<_> =
            received.iter().map(|(reading, second)| sighted(bits, *reading, *second)).collect();
        self.write(move |tx| {
            tx.sightings_store(std::slice::from_ref(&sighting))?;
            Ok(tx.sighting_readings_append(&readings)?)
        })
        .await
    }

    /// All sightings.
    pub(super) async fn sightings(&self) -> Outcome<Vec<Sighting>> {
        self.read(|tx| Ok(tx.sightings_page(EVERYTHING)?)).await
    }

    /// Forgets an EUI.
    pub(super) async fn take(&self, bits: u64) -> Outcome<Option<(Sighting, Vec<Reading>)>> {
        self.write(move |tx| Ok(tx.sighting_take(Eui::from_bits(bits))?)).await
    }

    /// What is known of a month.
    pub(super) async fn facts(&self, month: Month) -> Outcome<QuotaFacts> {
        self.write(move |tx| Ok(tx.quota_facts(month)?)).await
    }

    /// How many spools hold leases.
    pub(super) async fn lease_holders(&self) -> Outcome<i64> {
        self.write(|tx| Ok(tx.quota_lease_holders()?)).await
    }

    /// Gives the reseller something of every kind, under numbers from `first` on: two devices with
    /// readings, one above the other, an EUI with a reading, an API key, and a lease of which a part
    /// is used. Returns the key of the first device.
    pub(super) async fn furnish(&self, first: u64) -> Outcome<DeviceKey> {
        self.write(move |tx| {
            let key = register(tx, &device(first))?;
            let below = NewDevice {
                parent: Some(device_id(first)),
                hierarchy_level: 1,
                ..device(first + 1)
            };
            let below = register(tx, &below)?;
            tx.readings_append(&[
                (key, reading(1, 10)),
                (key, reading(2, 20)),
                (below, reading(1, 30)),
            ])?;
            let mut states = tx.device_states(&[key])?;
            for state in &mut states {
                state.telemetry = seen_at(2);
            }
            tx.device_states_store(&states)?;
            tx.sightings_store(&[sighting(first + 2, 3)])?;
            tx.sighting_readings_append(&[sighted(first + 2, reading(3, 40), 3)])?;
            tx.api_key_insert(&api_key(u128::from(first), "default", 4))?;
            tx.quota_lease(MONTH, spool(1), 10)?;
            tx.quota_settle(MONTH, spool(1), 4)?;
            Ok(key)
        })
        .await
    }

    /// All that can be seen of the reseller.
    pub(super) async fn belongings(&self) -> Outcome<Belongings> {
        self.write(|tx| {
            let devices = tx.devices_page(EVERYTHING)?;
            let readings: Result<_, StoreError> = devices
                .iter()
                .map(|device| tx.readings_page(device.key, crate::From::Time(BEGINNING), u32::MAX))
                .collect();
            Ok(Belongings {
                reseller: tx.reseller()?,
                keys: tx.api_keys()?,
                device_count: tx.devices_count()?,
                readings: readings?,
                sightings: tx.sightings_page(EVERYTHING)?,
                quota: tx.quota_facts(MONTH)?,
                lease_holders: tx.quota_lease_holders()?,
                devices,
            })
        })
        .await
    }
}

/// All that can be seen of one reseller without changing it.
#[derive(Debug, PartialEq)]
pub(super) struct Belongings {
    pub(super) reseller: Option<Reseller>,
    pub(super) keys: Vec<ApiKey>,
    pub(super) devices: Vec<Device>,
    pub(super) device_count: u64,
    pub(super) readings: Vec<Vec<Reading>>,
    pub(super) sightings: Vec<Sighting>,
    pub(super) quota: QuotaFacts,
    pub(super) lease_holders: i64,
}

/// Claims a device's EUI and inserts it, inside a transaction.
pub(super) fn register(tx: &mut dyn WriteTx, device: &NewDevice) -> Outcome<DeviceKey> {
    if !tx.eui_claim(device.dev_eui)? {
        return Err(StoreError::Refused(format!("{} is claimed already", device.dev_eui)).into());
    }
    Ok(tx.device_insert(device)?)
}
