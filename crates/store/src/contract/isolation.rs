//! That no reseller sees or touches another.

use jiff::civil::{Date, date};
use weir_domain::member::Member;
use weir_domain::{DeviceKey, Eui, NewDevice, OwnershipRecord, Status};

use super::belongings::KEPT_DAY;
use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    ANY_DEVICE, ANY_END_USER, EVERYTHING, MONTH, NEWEST_FIRST, api_key, at, by_email, customer,
    customer_id, device, device_below, device_id, end_user, end_user_id, member, name, ownership,
    ownership_id, reading, seen_at, sighted, sighting, spool, unheard,
};
use super::stage::Stage;
use super::tenant::{edit, register};
use crate::{
    CustomerFilter, DaysOf, DeviceFilter, DeviceOrder, DeviceSort, DeviceState, EndUserFilter,
    KeptSpan, Span, WriteTx,
};

/// A question about what a reseller was furnished with under 100 and more, and how much it finds.
type Probe = fn(&mut dyn WriteTx, DeviceKey) -> Outcome<usize>;

fn ada() -> Member {
    member(100, by_email("ada@example.org"), 4)
}

fn of_customer() -> DeviceFilter {
    DeviceFilter { customers: vec![CustomerFilter::Of(customer_id(100))], ..ANY_DEVICE }
}

const DEVICE_PROBES: &[(&str, Probe)] = &[
    ("device_by_id", |tx, _| Ok(tx.device_by_id(device_id(100))?.iter().len())),
    ("device_live_by_eui", |tx, _| Ok(tx.device_live_by_eui(Eui::from_bits(100))?.iter().len())),
    ("device_last_deleted_by_eui", |tx, _| {
        Ok(tx.device_last_deleted_by_eui(Eui::from_bits(103))?.iter().len())
    }),
    ("devices_by_ids", |tx, _| Ok(tx.devices_by_ids(&[100, 103].map(device_id))?.len())),
    ("devices_live_by_euis", |tx, _| {
        Ok(tx.devices_live_by_euis(&[100, 101].map(Eui::from_bits))?.len())
    }),
    ("devices_page", |tx, _| Ok(tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?.len())),
    ("devices_page of a customer", |tx, _| {
        Ok(tx.devices_page(&of_customer(), NEWEST_FIRST, EVERYTHING)?.len())
    }),
    ("devices_page by customer", |tx, _| {
        let order = DeviceOrder { by: DeviceSort::Customer, is_descending: false };
        Ok(tx.devices_page(&ANY_DEVICE, order, EVERYTHING)?.len())
    }),
    ("devices_count", |tx, _| Ok(tx.devices_count(&ANY_DEVICE)? as usize)),
    ("devices_count of a customer", |tx, _| Ok(tx.devices_count(&of_customer())? as usize)),
    ("devices_stats", |tx, _| Ok(tx.devices_stats(&[], at(0))?.total as usize)),
    ("devices_stats of a customer", |tx, _| {
        Ok(tx.devices_stats(&of_customer().customers, at(0))?.new as usize)
    }),
    ("devices_billed", |tx, _| Ok(tx.devices_billed()? as usize)),
    ("device_children", |tx, _| Ok(tx.device_children(device_id(100))?.len())),
    ("device_descendants", |tx, _| Ok(tx.device_descendants(device_id(100))?.len())),
    ("devices_locked", |tx, _| Ok(tx.devices_locked(&[device_id(100)])?.len())),
    ("device_tree", |tx, _| Ok(tx.device_tree(&[device_id(100)])?.len())),
    ("device_ancestors", |tx, _| Ok(tx.device_ancestors(device_id(101))?.len())),
    ("device_states", |tx, key| Ok(tx.device_states(&[key])?.len())),
    ("device_keys_by_euis", |tx, _| Ok(tx.device_keys_by_euis(&[Eui::from_bits(100)])?.len())),
];

const OTHER_PROBES: &[(&str, Probe)] = &[
    ("readings_page", |tx, key| Ok(tx.readings_page(key, crate::From::Time(at(0)), 9)?.len())),
    ("readings_with_opening", |tx, device| {
        Ok(tx.readings_with_opening(Span { device, from: at(2), until: at(9) })?.len())
    }),
    ("readings_with_openings", |tx, device| {
        let span = Span { device, from: at(2), until: at(9) };
        Ok(tx.readings_with_openings(&[span])?.concat().len())
    }),
    ("days_kept", |tx, key| {
        let kept = tx.days_kept(key, "UTC", date(2026, 1, 1))?;
        Ok(kept.map_or(0, |kept| kept.days.len()))
    }),
    ("fleet_days", |tx, _| {
        let (from, until) = (date(2020, 1, 1), date(2030, 1, 1));
        Ok(tx.fleet_days(KeptSpan { from, until, ahead: i64::MAX / 8 })?.len())
    }),
    ("day_zones", |tx, key| Ok(tx.day_zones(&[key])?.len())),
    ("reading_exists", |tx, key| {
        let first = reading(1, 10);
        Ok(tx.reading_exists(key, first.time, first.volume)?.into())
    }),
    ("volumes_newest", |tx, key| Ok(tx.volumes_newest(&[key], 9)?.concat().len())),
    ("customer_by_id", |tx, _| Ok(tx.customer_by_id(customer_id(100))?.iter().len())),
    ("customers_page", |tx, _| Ok(tx.customers_page(Some("lake"), EVERYTHING)?.len())),
    ("customers_by_names", |tx, _| Ok(tx.customers_by_names(&["Lakeside"])?.len())),
    ("customers_count", |tx, _| Ok(tx.customers_count(None)? as usize)),
    ("customer_references", |tx, _| Ok(tx.customer_references(customer_id(100))?.1 as usize)),
    ("end_user_by_id", |tx, _| Ok(tx.end_user_by_id(end_user_id(100))?.iter().len())),
    ("end_users_by_ids", |tx, _| Ok(tx.end_users_by_ids(&[end_user_id(100)])?.len())),
    ("end_users_by_names", |tx, _| Ok(tx.end_users_by_names(&["Ada"])?.len())),
    ("end_users_page", |tx, _| Ok(tx.end_users_page(&ANY_END_USER, EVERYTHING)?.len())),
    ("end_users_count of a customer", |tx, _| {
        let customer = Some(CustomerFilter::Of(customer_id(100)));
        Ok(tx.end_users_count(&EndUserFilter { customer, search: Some("a".into()) })? as usize)
    }),
    ("end_user_first_of", |tx, _| Ok(tx.end_user_first_of(customer_id(100))?.iter().len())),
    ("end_user_references", |tx, _| Ok(tx.end_user_references(end_user_id(100))? as usize)),
    ("ownership_by_device", |tx, _| Ok(tx.ownership_by_device(device_id(100))?.len())),
    ("ownership_newest", |tx, _| Ok(tx.ownership_newest(&[device_id(100)])?.len())),
    ("ownership_report", |tx, _| Ok(tx.ownership_report(ownership_id(100))?.iter().len())),
    ("api_keys", |tx, _| Ok(tx.api_keys()?.len())),
    ("members", |tx, _| Ok(tx.members()?.len())),
    ("member", |tx, _| Ok(tx.member(ada().id)?.iter().len())),
    ("member_known_by", |tx, _| Ok(tx.member_known_by(&ada().identity)?.iter().len())),
    ("sightings_page", |tx, _| Ok(tx.sightings_page(EVERYTHING)?.len())),
    ("sightings_by_euis", |tx, _| Ok(tx.sightings_by_euis(&[Eui::from_bits(102)])?.len())),
    ("sighting_take", |tx, _| Ok(tx.sighting_take(Eui::from_bits(102))?.iter().len())),
];

/// Nothing of a reseller is seen by another, by whatever key it asks; it sees all of it itself.
pub async fn nothing_of_another_is_seen(stage: Stage) -> Outcome {
    let untouched = stage.acme.belongings().await?;
    let key = stage.globex.furnish(100).await?;
    assert_eq!(stage.acme.belongings().await?, untouched);
    for (what, probe) in DEVICE_PROBES.iter().chain(OTHER_PROBES) {
        let seen = stage.acme.write(move |tx| probe(tx, key)).await?;
        assert_eq!(seen, 0, "through {what}");
        let own = stage.globex.write(move |tx| probe(tx, key)).await?;
        assert_ne!(own, 0, "through {what}");
    }
    Ok(())
}

/// A write of one reseller, given in turn another's keys.
type Trespass = fn(&mut dyn WriteTx, DeviceKey) -> Outcome;

const TRESPASSES: &[(&str, Trespass)] = &[
    ("append a reading", |tx, key| Ok(tx.readings_append(&[(key, reading(9, 90))])?)),
    ("store a state", |tx, key| {
        let telemetry = seen_at(9);
        let state =
            DeviceState { key, status: Status::Online, is_live: true, telemetry, days_until: None };
        Ok(tx.device_states_store(&[state])?)
    }),
    ("keep days", |tx, device| {
        let days = vec![KEPT_DAY];
        Ok(tx.days_keep(&[DaysOf { device, zone: "UTC".to_owned(), from: Date::MIN, days }])?)
    }),
    ("store a device", |tx, key| Ok(tx.devices_store(&[unheard(key, device(100))])?)),
    ("store a level", |tx, _| Ok(tx.device_levels_store(&[(device_id(100), 7)])?)),
    ("release a claim", |tx, _| {
        tx.euis_release(&[Eui::from_bits(100)])?;
        assert!(!tx.eui_claim(Eui::from_bits(100))?);
        Ok(())
    }),
    ("insert with a foreign EUI", |tx, _| Ok(tx.device_insert(&device(100)).map(drop)?)),
    ("change a customer", |tx, _| {
        assert!(!tx.customer_update(&customer(100, "Mine"))?);
        assert!(!tx.customer_delete(customer_id(100))?);
        Ok(())
    }),
    ("change an end user", |tx, _| {
        assert!(!tx.end_user_update(&end_user(100, "Mine", None))?);
        assert!(!tx.end_user_delete(end_user_id(100))?);
        Ok(())
    }),
    ("delete a key", |tx, _| Ok(tx.api_key_delete(api_key(100, "", 0).id).map(drop)?)),
    ("delete a member", |tx, _| {
        assert!(!tx.member_delete(ada().id)?);
        Ok(())
    }),
    ("be known by the same", |tx, _| {
        assert!(tx.member_insert(&ada())?);
        assert!(tx.member_delete(ada().id)?);
        Ok(())
    }),
    ("take a sighting", |tx, _| Ok(tx.sighting_take(Eui::from_bits(102)).map(drop)?)),
    ("add to a sighting", |tx, _| {
        tx.sightings_store(&[sighting(102, 99)])?;
        Ok(tx.sighting_readings_append(&[sighted(102, reading(9, 90), 99)])?)
    }),
    ("evict all", |tx, _| Ok(tx.sightings_evict(0, 0)?)),
    ("use a spool's lease up", |tx, _| {
        tx.quota_settle(MONTH, spool(1), 99)?;
        Ok(tx.quota_leases_end(spool(1))?)
    }),
    ("delete itself", |tx, _| Ok(tx.reseller_delete()?)),
];

/// Whatever a reseller does with another's keys is refused or does nothing to the other.
pub async fn nothing_of_another_is_changed(stage: Stage) -> Outcome {
    let key = stage.globex.furnish(100).await?;
    let before = stage.globex.belongings().await?;
    for (what, trespass) in TRESPASSES {
        let outcome = stage.acme.write(move |tx| trespass(tx, key)).await;
        if outcome.is_err() {
            assert_refused(outcome);
        }
        assert_eq!(stage.globex.belongings().await?, before, "after an attempt to {what}");
    }
    let taken = stage.globex.take(102).await?.map(|(_, readings)| readings);
    assert_eq!(taken, Some(vec![reading(3, 40)]));
    Ok(())
}

const CONNECTIONS: &[(&str, Trespass)] = &[
    ("a device below another's", |tx, _| register(tx, &device_below(2, 100, 1)).map(drop)),
    ("a device of another's customer", |tx, _| {
        let device = NewDevice { customer: Some(customer_id(100)), ..device(2) };
        register(tx, &device).map(drop)
    }),
    ("one's device moved below another's", |tx, _| {
        edit(tx, 1, &mut |device| device.parent = Some(device_id(100))).map(drop)
    }),
    ("one's device given to another's customer", |tx, _| {
        edit(tx, 1, &mut |device| device.own_customer = Some(customer_id(100))).map(drop)
    }),
    ("one's device assigned to another's end user", |tx, _| {
        edit(tx, 1, &mut |device| device.end_user = Some(end_user_id(100))).map(drop)
    }),
    ("an end user of another's customer", |tx, _| {
        Ok(tx.end_user_insert(&end_user(2, "Bob", Some(100)))?)
    }),
    ("one's end user given to another's customer", |tx, _| {
        Ok(tx.end_user_update(&end_user(1, "Bob", Some(100))).map(drop)?)
    }),
    ("a record about another's device", |tx, _| {
        let record = OwnershipRecord { changed_by: "acme".into(), ..ownership(1, 100, 9) };
        Ok(tx.ownership_insert(&[(record, None)])?)
    }),
];

/// Nothing of one reseller can be connected with something of another.
pub async fn nothing_of_another_is_referred_to(stage: Stage) -> Outcome {
    let key = stage.globex.furnish(100).await?;
    stage.acme.register(&device(1)).await?;
    stage.acme.add_end_user(&end_user(1, "Bob", None)).await?;
    let before = (stage.acme.belongings().await?, stage.globex.belongings().await?);
    for (what, connect) in CONNECTIONS {
        let outcome = stage.acme.write(move |tx| connect(tx, key)).await;
        assert!(outcome.is_err(), "{what}");
        assert_refused(outcome);
        let after = (stage.acme.belongings().await?, stage.globex.belongings().await?);
        assert_eq!(after, before, "after {what}");
    }
    Ok(())
}

/// What two resellers call by the same id are two things.
pub async fn same_ids_are_each_resellers_own(stage: Stage) -> Outcome {
    let devices = [device(1), NewDevice { dev_eui: Eui::from_bits(2), ..device(1) }];
    for (number, tenant) in [&stage.acme, &stage.globex].into_iter().enumerate() {
        let (device, called) = (devices[number].clone(), number.to_string());
        tenant
            .write(move |tx| {
                tx.customer_insert(&customer(1, &called))?;
                tx.end_user_insert(&end_user(1, &called, Some(1)))?;
                register(tx, &NewDevice { name: name(&called), ..device.clone() })?;
                let known = by_email(&format!("{called}@example.org"));
                assert!(tx.member_insert(&member(1, known, 1))?);
                Ok(tx.ownership_insert(&[(ownership(1, 1, number as i64), None)])?)
            })
            .await?;
    }
    for (number, tenant) in [&stage.acme, &stage.globex].into_iter().enumerate() {
        let called = Some(name(&number.to_string()));
        assert_eq!(tenant.device(device_id(1)).await?.map(|device| device.name), called);
        assert_eq!(tenant.customer(1).await?.map(|found| found.customer.name), called);
        assert_eq!(tenant.end_user(1).await?.map(|found| found.end_user.name), called);
        let known = by_email(&format!("{number}@example.org"));
        assert_eq!(tenant.members().await?, [member(1, known, 1)]);
        let records = tenant.read(|tx| Ok(tx.ownership_by_device(device_id(1))?)).await?;
        assert_eq!(records, [ownership(1, 1, number as i64)]);
    }
    Ok(())
}
