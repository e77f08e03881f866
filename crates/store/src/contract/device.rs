//! Devices: registering and finding them.

use weir_domain::{Eui, NewDevice};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    ANY_DEVICE, TRICKY, customer, customer_id, device, device_id, longest_name, name, unheard,
};
use super::race::crowd;
use super::stage::Stage;

/// Every field of a device comes back as it was inserted, and nothing was heard of it.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    let principal = NewDevice { is_principal: true, name: name(TRICKY), ..device(u64::MAX) };
    let below = NewDevice {
        parent: Some(principal.id),
        hierarchy_level: 1,
        name: longest_name(),
        ..device(0)
    };
    for new in [principal, below] {
        let key = stage.acme.register(&new).await?;
        let expected = Some(unheard(key, new.clone()));
        assert_eq!(stage.acme.device(new.id).await?, expected);
        let eui = new.dev_eui;
        let by_eui = stage.acme.read(move |tx| Ok(tx.device_live_by_eui(eui)?));
        assert_eq!(by_eui.await?, expected);
    }
    Ok(())
}

/// An EUI finds its device in any spelling and is returned in the one it was registered with.
pub async fn eui_is_found_in_any_case_and_kept_as_written(stage: Stage) -> Outcome {
    let written = ["70B3D57ed02a3654", "70b3d57ed02a3654", "70B3D57ED02A3654"];
    let spellings: Vec<_> = written.iter().filter_map(|text| Eui::parse(text).ok()).collect();
    let new = NewDevice { dev_eui: spellings[0], ..device(1) };
    stage.acme.register(&new).await?;
    for eui in spellings {
        let found = stage.acme.read(move |tx| Ok(tx.device_live_by_eui(eui)?)).await?;
        let found = found.map(|device| (device.id, device.dev_eui.to_string()));
        assert_eq!(found, Some((new.id, written[0].to_owned())), "as {eui}");
    }
    Ok(())
}

/// Where there is nothing, nothing is found; a live device is no deleted one.
pub async fn what_is_not_there_is_not_found(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let found = stage.acme.read(|tx| {
        Ok([
            tx.device_by_id(device_id(2))?,
            tx.device_live_by_eui(Eui::from_bits(2))?,
            tx.device_last_deleted_by_eui(Eui::from_bits(2))?,
            tx.device_last_deleted_by_eui(Eui::from_bits(1))?,
        ])
    });
    assert_eq!(found.await?, [None, None, None, None]);
    Ok(())
}

/// No two devices share the number under which the store keeps them, whosever they are.
pub async fn keys_are_shared_by_no_two_devices(stage: Stage) -> Outcome {
    let mut keys = Vec::new();
    for number in 0..4 {
        keys.push(stage.acme.register(&device(number)).await?);
        keys.push(stage.globex.register(&device(100 + number)).await?);
    }
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 8, "{keys:?}");
    Ok(())
}

/// An EUI is claimed once among the live devices of all resellers.
pub async fn eui_is_claimed_once(stage: Stage) -> Outcome {
    let eui = Eui::from_bits(0xffee_ddcc_bbaa_9988);
    let claims = stage.acme.write(move |tx| Ok([tx.eui_claim(eui)?, tx.eui_claim(eui)?]));
    assert_eq!(claims.await?, [true, false]);
    let upper = Eui::parse("FFEEDDCCBBAA9988").unwrap_or(Eui::from_bits(0));
    assert!(!stage.acme.write(move |tx| Ok(tx.eui_claim(upper)?)).await?);
    assert!(!stage.globex.write(move |tx| Ok(tx.eui_claim(upper)?)).await?);
    Ok(())
}

/// Of several that claim an EUI at once, one gets it, and its device.
pub async fn claims_at_once_have_one_winner(stage: Stage) -> Outcome {
    let tenants = [&stage.acme, &stage.globex];
    let claims = crowd(8, |turn| {
        tenants[turn % 2].write(move |tx| {
            let claimed = tx.eui_claim(Eui::from_bits(1))?;
            if claimed {
                tx.device_insert(&NewDevice { id: device_id(turn as u64), ..device(1) })?;
            }
            Ok(claimed)
        })
    })
    .await?;
    let winners: Vec<_> = (0..8).filter(|turn| claims[*turn]).collect();
    assert_eq!(winners.len(), 1, "{claims:?}");
    for (turn, tenant) in tenants.into_iter().enumerate() {
        let count = tenant.read(|tx| Ok(tx.devices_count(&ANY_DEVICE)?)).await?;
        assert_eq!(count, u64::from(winners[0] % 2 == turn));
    }
    Ok(())
}

/// A device whose EUI nobody claimed, or another reseller, is refused.
pub async fn insert_without_a_claim_is_refused(stage: Stage) -> Outcome {
    assert_refused(stage.acme.write(|tx| Ok(tx.device_insert(&device(1))?)).await);
    stage.globex.write(|tx| Ok(tx.eui_claim(Eui::from_bits(2))?)).await?;
    assert_refused(stage.acme.write(|tx| Ok(tx.device_insert(&device(2))?)).await);
    assert_eq!(stage.acme.belongings().await?.device_count, 0);
    stage.globex.write(|tx| Ok(tx.device_insert(&device(2))?)).await?;
    Ok(())
}

/// One claim carries one live device, and one id is one device.
pub async fn insert_of_a_second_with_the_same_eui_or_id_is_refused(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let twin = NewDevice { id: device_id(2), ..device(1) };
    assert_refused(stage.acme.write(move |tx| Ok(tx.device_insert(&twin)?)).await);
    let namesake = NewDevice { id: device_id(1), ..device(3) };
    assert_refused(stage.acme.register(&namesake).await);
    assert_eq!(stage.acme.belongings().await?.device_count, 1);
    Ok(())
}

/// A parent or a customer that the reseller does not have is refused.
pub async fn insert_under_a_strange_parent_or_customer_is_refused(stage: Stage) -> Outcome {
    stage.globex.register(&device(1)).await?;
    for number in [1, 9] {
        let below = NewDevice { parent: Some(device_id(number)), hierarchy_level: 1, ..device(2) };
        assert_refused(stage.acme.register(&below).await);
    }
    stage.globex.add_customer(&customer(1, "Lakeside")).await?;
    for number in [1, 9] {
        let strange = NewDevice { customer: Some(customer_id(number)), ..device(2) };
        assert_refused(stage.acme.register(&strange).await);
    }
    assert_eq!(stage.acme.belongings().await?.device_count, 0);
    Ok(())
}
