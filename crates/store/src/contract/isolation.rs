//! That no reseller sees or touches another.

use weir_domain::{DeviceKey, Eui, Reseller, Status};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    EVERYTHING, MONTH, api_key, device, device_id, name, reading, seen_at, sighted, sighting, spool,
};
use super::race::crowd;
use super::stage::Stage;
use super::tenant::register;
use crate::{DeviceState, StoreError, WriteTx};

/// Nothing of a reseller is seen by another, by whatever key it asks.
pub async fn nothing_of_another_is_seen(stage: Stage) -> Outcome {
    let untouched = stage.acme.belongings().await?;
    let key = stage.globex.furnish(100).await?;
    assert_eq!(stage.acme.belongings().await?, untouched);
    let (device, exists) = stage
        .acme
        .read(move |tx| {
            let found = [
                tx.device_by_id(device_id(100))?,
                tx.device_live_by_eui(Eui::from_bits(100))?,
                tx.device_last_deleted_by_eui(Eui::from_bits(100))?,
            ];
            let first = reading(1, 10);
            Ok((found, tx.reading_exists(key, first.time, first.volume)?))
        })
        .await?;
    assert_eq!(device, [None, None, None]);
    assert!(!exists);
    let (states, keys, sightings, taken) = stage
        .acme
        .write(move |tx| {
            let euis = [100, 101, 102].map(Eui::from_bits);
            Ok((
                tx.device_states(&[key])?,
                tx.device_keys_by_euis(&euis)?,
                tx.sightings_by_euis(&euis)?,
                tx.sighting_take(euis[2])?,
            ))
        })
        .await?;
    assert_eq!((states, keys, sightings, taken), (vec![], vec![], vec![], None));
    Ok(())
}

/// A write of one reseller, given in turn another's keys.
type Trespass = fn(&mut dyn WriteTx, DeviceKey) -> Outcome;

/// Whatever a reseller does with another's keys is refused or does nothing to the other.
pub async fn nothing_of_another_is_changed(stage: Stage) -> Outcome {
    let key = stage.globex.furnish(100).await?;
    let before = stage.globex.belongings().await?;
    let trespasses: [(&str, Trespass); 9] = [
        ("append a reading", |tx, key| Ok(tx.readings_append(&[(key, reading(9, 90))])?)),
        ("store a state", |tx, key| {
            let telemetry = seen_at(9);
            let state = DeviceState { key, status: Status::Online, is_live: true, telemetry };
            Ok(tx.device_states_store(&[state])?)
        }),
        ("insert with a foreign EUI", |tx, _| Ok(tx.device_insert(&device(100)).map(drop)?)),
        ("delete a key", |tx, _| Ok(tx.api_key_delete(api_key(100, "", 0).id).map(drop)?)),
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
    for (what, trespass) in trespasses {
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

/// A system transaction sees one reseller at a time, and each passage leaves the last one behind.
pub async fn passage_leads_into_one_reseller(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    stage.acme.furnish(100).await?;
    stage.globex.furnish(200).await?;
    let seen = stage.settle(move |tx| {
        let mut seen = Vec::new();
        for (turn, id) in [acme, globex, acme, acme, globex].into_iter().enumerate() {
            let scoped = tx.scoped(id)?;
            register(scoped, &device(turn as u64))?;
            let mut ids: Vec<_> =
                scoped.devices_page(EVERYTHING)?.into_iter().map(|device| device.id).collect();
            ids.sort();
            seen.push((scoped.reseller()?.map(|reseller| reseller.id), ids));
        }
        Ok(seen)
    });
    let expected = [
        (acme, vec![0, 100, 101]),
        (globex, vec![1, 200, 201]),
        (acme, vec![0, 2, 100, 101]),
        (acme, vec![0, 2, 3, 100, 101]),
        (globex, vec![1, 4, 200, 201]),
    ]
    .map(|(id, numbers)| (Some(id), numbers.into_iter().map(device_id).collect::<Vec<_>>()));
    assert_eq!(seen.await?, expected);
    assert_eq!(stage.acme.belongings().await?.device_count, 5);
    assert_eq!(stage.globex.belongings().await?.device_count, 4);
    Ok(())
}

/// Lookups across resellers work as before after a passage into one.
pub async fn passage_narrows_no_lookup(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let seen = stage.administer(move |tx| {
        tx.tenant_name_claim("water", globex)?;
        tx.scoped(acme)?.reseller()?;
        tx.spool_position_store(spool(1), 3)?;
        tx.scoped(globex)?.reseller()?;
        Ok((tx.tenant_name_owner("water")?, tx.spool_position(spool(1))?, tx.resellers()?.len()))
    });
    assert_eq!(seen.await?, (Some(globex), 3, 2));
    Ok(())
}

/// A passage into a reseller that does not exist leads into emptiness.
pub async fn passage_may_lead_nowhere(stage: Stage) -> Outcome {
    stage.acme.furnish(100).await?;
    let nowhere = stage.stranger().id();
    let seen = stage.settle(move |tx| {
        let scoped = tx.scoped(nowhere)?;
        Ok((scoped.reseller()?, scoped.devices_count()?, scoped.sightings_count()?))
    });
    assert_eq!(seen.await?, (None, 0, 0));
    assert_eq!(stage.stranger().read(|tx| Ok(tx.devices_count()?)).await?, 0);
    Ok(())
}

/// Transactions of two resellers that take turns on the same threads keep apart, also after some of
/// them failed.
pub async fn turns_on_one_thread_keep_apart(stage: Stage) -> Outcome {
    let tenants = [&stage.acme, &stage.globex];
    let names = ["acme", "globex"];
    crowd(48, |turn| async move {
        let tenant = tenants[turn % 2];
        if turn % 5 == 0 {
            let failed: Outcome =
                tenant.write(|_| Err(StoreError::Broken("changed its mind".into()).into())).await;
            assert!(failed.is_err());
        }
        let called = move |reseller: Option<Reseller>| {
            assert_eq!(reseller.map(|reseller| reseller.name), Some(name(names[turn % 2])));
        };
        tenant.read(|tx| Ok(tx.reseller()?)).await.map(called)?;
        tenant.write(|tx| Ok(tx.reseller()?)).await.map(called)?;
        tenant
            .write(move |tx| Ok(tx.api_key_insert(&api_key(turn as u128, &turn.to_string(), 1))?))
            .await
    })
    .await?;
    for (parity, tenant) in tenants.into_iter().enumerate() {
        let keys = tenant.keys().await?;
        let expected: Vec<_> = (0..48)
            .filter(|turn| turn % 2 == parity)
            .map(|turn| api_key(turn as u128, &turn.to_string(), 1))
            .collect();
        assert_eq!(keys, expected);
    }
    Ok(())
}
