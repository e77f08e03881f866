//! All that a reseller can have, given to it and looked at.

use jiff::civil::{Date, date};
use weir_domain::consumption::kept::{KeptDay, KeptDays};
use weir_domain::member::Member;
use weir_domain::quota::QuotaFacts;
use weir_domain::{Device, DeviceKey, OwnershipRecord, Reading, Reseller, Volume};

use super::failure::Outcome;
use super::fixtures::{
    ANY_DEVICE, ANY_END_USER, BEGINNING, EVERYTHING, MONTH, NEWEST_FIRST, api_key, at, by_email,
    customer, device, device_below, end_user, end_user_id, member, ownership, reading, seen_at,
    sighted, sighting, spool,
};
use super::tenant::{Tenant, edit, register, soft_delete};
use crate::{ApiKey, CountedCustomer, CountedEndUser, DaysOf, Sighting, StoreError, WriteTx};

/// A finished day.
pub(super) const KEPT_DAY: KeptDay = KeptDay {
    date: date(2026, 2, 3),
    consumption: Volume::from_millilitres(10),
    last_reading: Volume::from_millilitres(20),
    is_reset: false,
};

/// All that can be seen of one reseller without changing it.
#[derive(Debug, PartialEq)]
pub(super) struct Belongings {
    pub(super) reseller: Option<Reseller>,
    pub(super) keys: Vec<ApiKey>,
    pub(super) members: Vec<Member>,
    /// The live ones and the soft-deleted ones below them.
    pub(super) devices: Vec<Device>,
    /// The live ones.
    pub(super) device_count: u64,
    pub(super) readings: Vec<Vec<Reading>>,
    pub(super) days: Vec<Option<KeptDays>>,
    pub(super) customers: Vec<CountedCustomer>,
    pub(super) end_users: Vec<CountedEndUser>,
    pub(super) ownership: Vec<(OwnershipRecord, Option<String>)>,
    pub(super) sightings: Vec<Sighting>,
    pub(super) quota: QuotaFacts,
    pub(super) lease_holders: i64,
}

impl Tenant {
    /// Gives the reseller something of every kind, under numbers from `first` on: a customer with an
    /// end user, two live devices with readings, one above the other, the upper one with a kept day
    /// and assigned with a record of it, a soft-deleted device below it, an EUI with a reading, an API
    /// key, a member, and a lease of which a part is used. Returns the key of the first device.
    pub(super) async fn furnish(&self, first: u64) -> Outcome<DeviceKey> {
        self.write(move |tx| {
            let key = register(tx, &device(first))?;
            let below = register(tx, &device_below(first + 1, first, 1))?;
            let deleted = register(tx, &device_below(first + 3, first, 1))?;
            tx.readings_append(&[
                (key, reading(1, 10)),
                (key, reading(2, 20)),
                (below, reading(1, 30)),
                (deleted, reading(1, 50)),
            ])?;
            let mut states = tx.device_states(&[key])?;
            for state in &mut states {
                state.telemetry = seen_at(2);
                state.days_until = Some(at(2));
            }
            tx.device_states_store(&states)?;
            let days = vec![KEPT_DAY];
            tx.days_keep(&[DaysOf { device: key, zone: "UTC".to_owned(), from: Date::MIN, days }])?;
            soft_delete(tx, first + 3, 9)?;
            furnish_community(tx, first)?;
            tx.sightings_store(&[sighting(first + 2, 3)])?;
            tx.sighting_readings_append(&[sighted(first + 2, reading(3, 40), 3)])?;
            tx.api_key_insert(&api_key(u128::from(first), "default", 4))?;
            tx.member_insert(&member(u128::from(first), by_email("ada@example.org"), 4))?;
            tx.quota_lease(MONTH, spool(1), 10)?;
            tx.quota_settle(MONTH, spool(1), 4)?;
            Ok(key)
        })
        .await
    }

    /// All that can be seen of the reseller.
    pub(super) async fn belongings(&self) -> Outcome<Belongings> {
        self.write(|tx| {
            let live = tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?;
            let live: Vec<_> = live.iter().map(|device| device.id).collect();
            let tree: Vec<_> = tx.device_tree(&live)?.iter().map(|node| node.id).collect();
            let mut devices = tx.devices_by_ids(&tree)?;
            devices.sort_by_key(|device| device.id);
            let readings: Result<_, StoreError> = devices
                .iter()
                .map(|device| tx.readings_page(device.key, crate::From::Time(BEGINNING), u32::MAX))
                .collect();
            let days: Result<_, StoreError> = devices
                .iter()
                .map(|device| tx.days_kept(device.key, "UTC", date(2026, 1, 1)))
                .collect();
            let mut ownership = Vec::new();
            for device in &devices {
                for record in tx.ownership_by_device(device.id)? {
                    let report = tx.ownership_report(record.id)?;
                    ownership.push((record, report));
                }
            }
            Ok(Belongings {
                reseller: tx.reseller()?,
                keys: tx.api_keys()?,
                members: tx.members()?,
                device_count: tx.devices_count(&ANY_DEVICE)?,
                readings: readings?,
                days: days?,
                customers: tx.customers_page(None, EVERYTHING)?,
                end_users: tx.end_users_page(&ANY_END_USER, EVERYTHING)?,
                ownership,
                sightings: tx.sightings_page(EVERYTHING)?,
                quota: tx.quota_facts(MONTH)?,
                lease_holders: tx.quota_lease_holders()?,
                devices,
            })
        })
        .await
    }
}

fn furnish_community(tx: &mut dyn WriteTx, first: u64) -> Outcome {
    tx.customer_insert(&customer(first, "Lakeside"))?;
    tx.end_user_insert(&end_user(first, "Ada", Some(first)))?;
    edit(tx, first, &mut |device| device.end_user = Some(end_user_id(first)))?;
    let record = OwnershipRecord {
        previous: Some(end_user_id(first + 1)),
        new: Some(end_user_id(first)),
        has_report: true,
        ..ownership(first, first, 5)
    };
    Ok(tx.ownership_insert(&[(record, Some("facts".to_owned()))])?)
}
