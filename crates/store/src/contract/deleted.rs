//! Soft-deleted devices: what becomes of them, of their EUIs, and how they come back.

use weir_domain::{Device, Eui, NewDevice, Status};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{ANY_DEVICE, at, device, device_id, reading, seen_at, volumes};
use super::stage::Stage;
use super::tenant::{Tenant, edit};
use crate::DeviceState;

async fn last_deleted(tenant: &Tenant, bits: u64) -> Outcome<Option<Device>> {
    tenant.read(move |tx| Ok(tx.device_last_deleted_by_eui(Eui::from_bits(bits))?)).await
}

/// A soft-deleted device is found by its id and by the EUI it went by, and nowhere among live ones.
pub async fn is_found_no_more_among_the_live(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.register(&device(2)).await?;
    let deleted = stage.acme.soft_delete(1, 9).await?;
    assert_eq!(deleted.deleted_at, Some(at(9)));
    assert_eq!(stage.acme.device(device_id(1)).await?, Some(deleted.clone()));
    assert_eq!(last_deleted(&stage.acme, 1).await?, Some(deleted.clone()));
    assert_eq!(stage.acme.numbers(&ANY_DEVICE).await?, [2]);
    let found = stage.acme.write(move |tx| {
        assert_eq!(tx.device_live_by_eui(Eui::from_bits(1))?, None);
        assert_eq!(tx.devices_live_by_euis(&[Eui::from_bits(1)])?, []);
        assert_eq!(tx.device_keys_by_euis(&[Eui::from_bits(1)])?, []);
        Ok([tx.devices_by_ids(&[device_id(1)])?, tx.devices_locked(&[device_id(1)])?])
    });
    assert_eq!(found.await?, [vec![deleted.clone()], vec![deleted]]);
    assert_eq!(stage.acme.state(key).await?.map(|state| state.is_live), Some(false));
    Ok(())
}

/// A soft-deleted device is still heard, and its readings are kept; it does not come to life by it.
pub async fn is_still_heard(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let deleted = stage.acme.soft_delete(1, 9).await?;
    stage.acme.append(key, &[reading(1, 10)]).await?;
    let telemetry = seen_at(20);
    let state = DeviceState {
        key,
        status: Status::Offline,
        is_live: true,
        telemetry: telemetry.clone(),
        days_until: None,
    };
    stage.acme.store_state(&state).await?;
    let expected = Some(Device { telemetry, ..deleted });
    assert_eq!(stage.acme.device(device_id(1)).await?, expected);
    assert_eq!(stage.acme.newest(&[key], 9).await?, [volumes([10])]);
    Ok(())
}

/// Of several that went by an EUI, the one deleted last is found; of the same moment, the highest id.
pub async fn last_one_of_an_eui_is_found(stage: Stage) -> Outcome {
    let by_eui = |number| NewDevice { dev_eui: Eui::from_bits(1), ..device(number) };
    for (number, second, last) in [(5, 20, 5), (2, 30, 2), (7, 10, 2), (3, 30, 3), (1, 30, 3)] {
        stage.acme.register(&by_eui(number)).await?;
        stage.acme.soft_delete(number, second).await?;
        let found = last_deleted(&stage.acme, 1).await?.map(|device| device.id);
        assert_eq!(found, Some(device_id(last)), "after {number}");
    }
    // A live one that goes by it now, another's deleted one, and other EUIs change nothing.
    stage.globex.register(&by_eui(8)).await?;
    stage.globex.soft_delete(8, 90).await?;
    stage.acme.register(&device(9)).await?;
    stage.acme.soft_delete(9, 90).await?;
    stage.acme.register(&by_eui(6)).await?;
    let found = last_deleted(&stage.acme, 1).await?.map(|device| device.id);
    assert_eq!(found, Some(device_id(3)));
    Ok(())
}

/// A deleted device keeps its EUI until the claim is released; then anyone may have it.
pub async fn eui_is_freed_by_its_release(stage: Stage) -> Outcome {
    let eui = Eui::from_bits(1);
    stage.acme.register(&device(1)).await?;
    stage.acme.edit(1, |device| device.deleted_at = Some(at(9))).await?;
    assert!(!stage.globex.write(move |tx| Ok(tx.eui_claim(eui)?)).await?);
    assert!(!stage.acme.write(move |tx| Ok(tx.eui_claim(eui)?)).await?);
    let others: Vec<_> = (1..2_000).map(Eui::from_bits).collect();
    stage
        .acme
        .write(move |tx| {
            tx.euis_release(&[])?;
            Ok(tx.euis_release(&others)?)
        })
        .await?;
    stage.globex.register(&device(1)).await?;
    assert!(!stage.acme.write(move |tx| Ok(tx.eui_claim(eui)?)).await?);
    stage.globex.soft_delete(1, 10).await?;
    stage.acme.register(&NewDevice { dev_eui: eui, ..device(2) }).await?;
    Ok(())
}

/// The claim of a live device is not released, and neither is another's.
pub async fn claim_in_use_is_not_released(stage: Stage) -> Outcome {
    let eui = Eui::from_bits(1);
    stage.acme.register(&device(1)).await?;
    for tenant in [&stage.acme, &stage.globex] {
        let outcome = tenant.write(move |tx| Ok(tx.euis_release(&[eui])?)).await;
        if outcome.is_err() {
            assert_refused(outcome);
        }
        assert!(!stage.globex.write(move |tx| Ok(tx.eui_claim(eui)?)).await?);
    }
    let found = stage.acme.read(move |tx| Ok(tx.device_live_by_eui(eui)?)).await?;
    assert_eq!(found.map(|device| device.id), Some(device_id(1)));
    Ok(())
}

/// A device comes back to life with the claim to its EUI, and not without.
pub async fn comes_back_with_its_claim(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let deleted = stage.acme.soft_delete(1, 9).await?;
    let revive = |device: &mut Device| {
        device.deleted_at = None;
        device.is_active = true;
        device.updated_at = at(20);
    };
    assert_refused(stage.acme.edit(1, revive).await);
    stage.globex.register(&device(1)).await?;
    assert_refused(stage.acme.edit(1, revive).await);
    stage.globex.soft_delete(1, 10).await?;
    let restored = stage.acme.write(move |tx| {
        assert!(tx.eui_claim(Eui::from_bits(1))?);
        edit(tx, 1, &mut { revive })
    });
    let mut expected = deleted;
    revive(&mut expected);
    assert_eq!(restored.await?, expected);
    assert_eq!(last_deleted(&stage.acme, 1).await?, None);
    let live = stage.acme.read(|tx| Ok(tx.device_live_by_eui(Eui::from_bits(1))?)).await?;
    assert_eq!(live, Some(expected));
    assert_eq!(stage.acme.numbers(&ANY_DEVICE).await?, [1]);
    assert!(!stage.globex.write(|tx| Ok(tx.eui_claim(Eui::from_bits(1))?)).await?);
    Ok(())
}
