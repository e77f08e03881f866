//! One reseller, as the suite acts for it.

use weir_domain::member::Member;
use weir_domain::quota::QuotaFacts;
use weir_domain::{
    Customer, Device, DeviceId, DeviceKey, EndUser, Eui, Month, NewDevice, Reading, Reseller,
    ResellerId, Volume,
};

use super::failure::Outcome;
use super::fixtures::{
    BEGINNING, EVERYTHING, NEWEST_FIRST, at, customer_id, device_id, end_user_id, scope, sighted,
};
use crate::{
    ApiKey, CountedCustomer, CountedEndUser, Db, DeviceFilter, DeviceState, ReadTx, Scope,
    Sighting, StoreError, WriteTx,
};

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

    /// Inserts a member; whether nobody was known by the same.
    pub(super) async fn add_member(&self, member: &Member) -> Outcome<bool> {
        let member = member.clone();
        self.write(move |tx| Ok(tx.member_insert(&member)?)).await
    }

    /// Its members.
    pub(super) async fn members(&self) -> Outcome<Vec<Member>> {
        self.read(|tx| Ok(tx.members()?)).await
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

    /// Inserts a customer.
    pub(super) async fn add_customer(&self, customer: &Customer) -> Outcome {
        let customer = customer.clone();
        self.write(move |tx| Ok(tx.customer_insert(&customer)?)).await
    }

    /// The customer of that number.
    pub(super) async fn customer(&self, number: u64) -> Outcome<Option<CountedCustomer>> {
        self.read(move |tx| Ok(tx.customer_by_id(customer_id(number))?)).await
    }

    /// Inserts an end user.
    pub(super) async fn add_end_user(&self, end_user: &EndUser) -> Outcome {
        let end_user = end_user.clone();
        self.write(move |tx| Ok(tx.end_user_insert(&end_user)?)).await
    }

    /// The end user of that number.
    pub(super) async fn end_user(&self, number: u64) -> Outcome<Option<CountedEndUser>> {
        self.read(move |tx| Ok(tx.end_user_by_id(end_user_id(number))?)).await
    }

    /// Changes the device of that number, and returns it as it is read afterwards.
    pub(super) async fn edit(
        &self,
        number: u64,
        mut change: impl FnMut(&mut Device) + Send + 'static,
    ) -> Outcome<Device> {
        self.write(move |tx| edit(tx, number, &mut change)).await
    }

    /// Soft-deletes the device of that number in that second, and releases its EUI.
    pub(super) async fn soft_delete(&self, number: u64, second: i64) -> Outcome<Device> {
        self.write(move |tx| soft_delete(tx, number, second)).await
    }

    /// The numbers of the devices that a filter means, in their order. Holds that they are counted as
    /// they are listed.
    pub(super) async fn numbers(&self, filter: &DeviceFilter) -> Outcome<Vec<u64>> {
        let filter = filter.clone();
        let found = self
            .read(move |tx| {
                Ok((
                    tx.devices_page(&filter, NEWEST_FIRST, EVERYTHING)?,
                    tx.devices_count(&filter)?,
                ))
            })
            .await?;
        let (devices, count) = found;
        assert_eq!(devices.len() as u64, count, "of {devices:?}");
        Ok(numbers(&devices))
    }
}

/// Claims a device's EUI and inserts it, inside a transaction.
pub(super) fn register(tx: &mut dyn WriteTx, device: &NewDevice) -> Outcome<DeviceKey> {
    if !tx.eui_claim(device.dev_eui)? {
        return Err(StoreError::Refused(format!("{} is claimed already", device.dev_eui)).into());
    }
    Ok(tx.device_insert(device)?)
}

/// Changes the device of that number, inside a transaction, and returns it as it is read afterwards.
pub(super) fn edit(
    tx: &mut dyn WriteTx,
    number: u64,
    change: &mut dyn FnMut(&mut Device),
) -> Outcome<Device> {
    let mut devices = tx.devices_locked(&[device_id(number)])?;
    devices.iter_mut().for_each(change);
    tx.devices_store(&devices)?;
    let missing = || StoreError::Broken(format!("device {number} is gone"));
    Ok(tx.device_by_id(device_id(number))?.ok_or_else(missing)?)
}

/// Soft-deletes the device of that number in that second, inside a transaction, and releases its EUI.
pub(super) fn soft_delete(tx: &mut dyn WriteTx, number: u64, second: i64) -> Outcome<Device> {
    let device = edit(tx, number, &mut |device| {
        device.deleted_at = Some(at(second));
        device.is_active = false;
        device.updated_at = at(second);
    })?;
    tx.euis_release(&[device.dev_eui])?;
    Ok(device)
}

/// The numbers of devices, in their order.
pub(super) fn numbers(devices: &[Device]) -> Vec<u64> {
    devices.iter().map(|device| number(device.id)).collect()
}

/// The number of a device.
pub(super) fn number(id: DeviceId) -> u64 {
    id.uuid().as_u128() as u64
}
