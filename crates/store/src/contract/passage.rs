//! The passage of a system transaction into one reseller after another, and threads that serve many.

use weir_domain::Reseller;

use super::failure::Outcome;
use super::fixtures::{
    ANY_DEVICE, EVERYTHING, NEWEST_FIRST, api_key, device, device_id, name, spool,
};
use super::race::crowd;
use super::stage::Stage;
use super::tenant::register;
use crate::{Lanes, StoreError};

/// A system transaction sees one reseller at a time, and each passage leaves the last one behind.
pub async fn leads_into_one_reseller(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    stage.acme.furnish(100).await?;
    stage.globex.furnish(200).await?;
    let seen = stage.settle(move |tx| {
        let mut seen = Vec::new();
        for (turn, id) in [acme, globex, acme, acme, globex].into_iter().enumerate() {
            let scoped = tx.scoped(id)?;
            register(scoped, &device(turn as u64))?;
            let mut ids: Vec<_> = scoped
                .devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?
                .into_iter()
                .map(|device| device.id)
                .collect();
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
pub async fn narrows_no_lookup(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let seen = stage.administer(move |tx| {
        tx.tenant_name_claim("water", globex)?;
        tx.scoped(acme)?.reseller()?;
        tx.spool_position_store(spool(1), &Lanes::ALL, 3)?;
        tx.scoped(globex)?.reseller()?;
        Ok((
            tx.tenant_name_owner("water")?,
            tx.spool_positions(spool(1))?.lowest(),
            tx.resellers()?.len(),
        ))
    });
    assert_eq!(seen.await?, (Some(globex), 3, 2));
    Ok(())
}

/// A passage into a reseller that does not exist leads into emptiness.
pub async fn may_lead_nowhere(stage: Stage) -> Outcome {
    stage.acme.furnish(100).await?;
    let nowhere = stage.stranger().id();
    let seen = stage.settle(move |tx| {
        let scoped = tx.scoped(nowhere)?;
        Ok((scoped.reseller()?, scoped.devices_count(&ANY_DEVICE)?, scoped.sightings_count()?))
    });
    assert_eq!(seen.await?, (None, 0, 0));
    assert_eq!(stage.stranger().read(|tx| Ok(tx.devices_count(&ANY_DEVICE)?)).await?, 0);
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
