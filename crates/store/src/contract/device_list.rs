//! Lists of devices, and devices by their EUIs.

use weir_domain::{DeviceId, Eui, NewDevice};

use super::failure::Outcome;
use super::fixtures::{ANY_DEVICE, EVERYTHING, NEWEST_FIRST, at, device, device_id, name};
use super::race::{Race, crowd};
use super::stage::Stage;
use super::tenant::{Tenant, register};
use crate::{Page, WriteTx};

async fn page(tenant: &Tenant, limit: u32, offset: u64) -> Outcome<Vec<DeviceId>> {
    let page = Page { limit, offset };
    let devices =
        tenant.read(move |tx| Ok(tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, page)?)).await?;
    Ok(devices.into_iter().map(|device| device.id).collect())
}

/// The newest registered comes first, to the microsecond; of the same moment, the highest id.
pub async fn newest_comes_first_and_ties_by_id(stage: Stage) -> Outcome {
    let moment = std::time::Duration::from_micros(1);
    for (number, created_at) in [
        (5, at(10)),
        (9, at(20)),
        (1, at(10).plus(moment)),
        (u64::MAX, at(20)),
        (7, at(20)),
        (8, at(20).minus(moment)),
    ] {
        stage.acme.register(&NewDevice { created_at, ..device(number) }).await?;
    }
    let expected = [u64::MAX, 9, 7, 8, 1, 5].map(device_id);
    assert_eq!(page(&stage.acme, 10, 0).await?, expected);
    Ok(())
}

/// A page has at most its limit, begins after its offset, and may lie past the end, however far.
pub async fn pages_join_to_the_whole(stage: Stage) -> Outcome {
    for number in 1..=5 {
        stage.acme.register(&device(number)).await?;
    }
    let acme = &stage.acme;
    assert_eq!(page(acme, 2, 0).await?, [5, 4].map(device_id));
    assert_eq!(page(acme, 2, 2).await?, [3, 2].map(device_id));
    assert_eq!(page(acme, 2, 4).await?, [1].map(device_id));
    assert_eq!(page(acme, 2, 5).await?, []);
    assert_eq!(page(acme, 2, u64::MAX).await?, []);
    assert_eq!(page(acme, 0, 0).await?, []);
    assert_eq!(page(acme, u32::MAX, 3).await?, [2, 1].map(device_id));
    Ok(())
}

/// The list and its count hold the reseller's own devices.
pub async fn list_and_count_are_the_resellers_own(stage: Stage) -> Outcome {
    for number in 1..=3 {
        stage.acme.register(&device(number)).await?;
    }
    stage.globex.register(&device(10)).await?;
    for (tenant, expected) in [(&stage.acme, vec![3, 2, 1]), (&stage.globex, vec![10])] {
        let (count, devices) = tenant
            .read(|tx| {
                Ok((
                    tx.devices_count(&ANY_DEVICE)?,
                    tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?,
                ))
            })
            .await?;
        let ids: Vec<_> = devices.iter().map(|device| device.id).collect();
        assert_eq!(count, expected.len() as u64);
        assert_eq!(ids, expected.into_iter().map(device_id).collect::<Vec<_>>());
    }
    Ok(())
}

/// Of many EUIs, those of the reseller's live devices are found, in any spelling.
pub async fn keys_are_found_by_many_euis(stage: Stage) -> Outcome {
    let high = NewDevice {
        dev_eui: Eui::parse("FFFFFFFFFFFFFFFF").unwrap_or(Eui::from_bits(0)),
        ..device(1)
    };
    let first = stage.acme.register(&high).await?;
    let second = stage.acme.register(&device(2)).await?;
    stage.globex.register(&device(3)).await?;
    let found = stage.acme.write(|tx| {
        // More than any store can take as single parameters.
        let mut euis: Vec<_> = (2..40_000).map(Eui::from_bits).collect();
        euis.push(Eui::from_bits(u64::MAX));
        Ok((tx.device_keys_by_euis(&euis)?, tx.device_keys_by_euis(&[])?))
    });
    let (mut found, none) = found.await?;
    found.sort();
    assert_eq!(found, [(Eui::from_bits(2), second), (Eui::from_bits(u64::MAX), first)]);
    assert_eq!(none, []);
    Ok(())
}

/// Whoever locks the tree sees it as the last one to hold the lock left it, also after having read
/// before; so no two decide upon the same tree.
pub async fn locked_tree_is_seen_as_it_is(stage: Stage) -> Outcome {
    let race = Race::default();
    let grow = |tx: &mut dyn WriteTx| {
        tx.lock_device_tree()?;
        let count = tx.devices_count(&ANY_DEVICE)?;
        let next = NewDevice { name: name(&count.to_string()), ..device(count) };
        register(tx, &next)?;
        Ok(count)
    };
    let slower = stage.acme.write({
        let race = race.clone();
        move |tx| {
            tx.devices_count(&ANY_DEVICE)?;
            race.let_rival_pass();
            grow(tx)
        }
    });
    let mut seen = race.run(slower, stage.acme.write(grow)).await?;
    seen.sort();
    assert_eq!(seen, [0, 1]);

    let mut seen = crowd(12, |_| stage.acme.write(grow)).await?;
    seen.sort();
    assert_eq!(seen, (2..14).collect::<Vec<_>>());
    Ok(())
}
