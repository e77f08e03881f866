//! Devices, changed.

use weir_domain::{Device, DeviceId, Eui, NewDevice, Status, Telemetry};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    TRICKY, at, customer, customer_id, device, device_below, device_id, end_user, end_user_id,
    full_telemetry, longest_name, name, unheard,
};
use super::race::{Race, crowd};
use super::stage::Stage;
use super::tenant::{edit, number};
use crate::{DeviceState, WriteTx};

/// Every field that is stored comes back as it was given; all others stay, whatever is given for them.
pub async fn is_read_as_stored(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.register(&device(2)).await?;
    stage.acme.add_customer(&customer(1, TRICKY)).await?;
    stage.acme.add_end_user(&end_user(1, "Ada", None)).await?;
    let heard = DeviceState {
        key,
        status: Status::Online,
        is_live: true,
        telemetry: full_telemetry(),
        days_until: None,
    };
    stage.acme.store_state(&heard).await?;
    let expected = Device {
        name: longest_name(),
        status: Status::Maintenance,
        is_active: false,
        end_user: Some(end_user_id(1)),
        own_customer: Some(customer_id(1)),
        customer: Some(customer_id(1)),
        customer_name: Some(name(TRICKY)),
        parent: Some(device_id(2)),
        is_principal: true,
        hierarchy_level: 1,
        telemetry: Telemetry { device_name: Some(name("from the API")), ..full_telemetry() },
        deleted_at: Some(at(50)),
        updated_at: at(51),
        ..unheard(key, device(1))
    };
    let given = Device {
        dev_eui: Eui::from_bits(1),
        customer: None,
        customer_name: Some(name("made up")),
        telemetry: Telemetry {
            device_name: expected.telemetry.device_name.clone(),
            ..Telemetry::default()
        },
        created_at: at(99),
        ..expected.clone()
    };
    stage.acme.write(move |tx| Ok(tx.devices_store(std::slice::from_ref(&given))?)).await?;
    assert_eq!(stage.acme.device(device_id(1)).await?, Some(expected));

    let bare = unheard(key, device(1));
    let plain = bare.clone();
    stage.acme.write(move |tx| Ok(tx.devices_store(std::slice::from_ref(&plain))?)).await?;
    let telemetry = Telemetry { device_name: None, ..full_telemetry() };
    assert_eq!(stage.acme.device(device_id(1)).await?, Some(Device { telemetry, ..bare }));
    Ok(())
}

/// Very many are found, locked and stored at once, and none as well; each is found once, however often
/// it was asked for.
pub async fn many_are_stored_at_once(stage: Stage) -> Outcome {
    for number in 1..=30 {
        stage.acme.register(&device(number)).await?;
    }
    stage.globex.register(&device(40)).await?;
    let found = stage.acme.write(|tx| {
        let ids: Vec<DeviceId> = (1..40_000).map(device_id).collect();
        let mut devices = tx.devices_locked(&ids)?;
        for device in &mut devices {
            device.name = name(&format!("{} renamed", number(device.id)));
        }
        devices.reverse();
        tx.devices_store(&devices)?;
        tx.devices_store(&[])?;
        assert_eq!(tx.devices_locked(&[])?, []);
        assert_eq!(tx.devices_by_ids(&[])?, []);
        assert_eq!(tx.devices_live_by_euis(&[])?, []);
        let twice = [ids.clone(), ids].concat();
        let euis: Vec<Eui> = twice.iter().map(|id| Eui::from_bits(number(*id))).collect();
        Ok([devices, tx.devices_by_ids(&twice)?, tx.devices_live_by_euis(&euis)?])
    });
    for mut devices in found.await? {
        devices.sort_by_key(|device| device.id);
        let seen: Vec<_> = devices.into_iter().map(|device| (device.id, device.name)).collect();
        let renamed = |number| (device_id(number), name(&format!("{number} renamed")));
        assert_eq!(seen, (1..=30).map(renamed).collect::<Vec<_>>());
    }
    Ok(())
}

/// Live devices are found by EUIs in any spelling, and carry the one they were registered with.
pub async fn euis_find_live_devices_in_any_spelling(stage: Stage) -> Outcome {
    let spelled = |text: &str| Eui::parse(text).unwrap_or(Eui::from_bits(0));
    let dev_eui = spelled("FFEEDDccbbaa9988");
    stage.acme.register(&NewDevice { dev_eui, ..device(1) }).await?;
    let asked = [spelled("ffeeddccbbaa9988"), spelled("FFEEDDCCBBAA9988"), Eui::from_bits(7)];
    let found = stage.acme.read(move |tx| Ok(tx.devices_live_by_euis(&asked)?)).await?;
    let written: Vec<_> = found.iter().map(|device| device.dev_eui.to_string()).collect();
    assert_eq!(written, ["FFEEDDccbbaa9988"]);
    stage.acme.soft_delete(1, 9).await?;
    assert_eq!(stage.acme.read(move |tx| Ok(tx.devices_live_by_euis(&asked)?)).await?, []);
    Ok(())
}

/// A parent, an end user or a customer that the reseller does not have is refused, and so is a change
/// of a device that is not there.
pub async fn store_of_strange_references_is_refused(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let before = stage.acme.device(device_id(1)).await?;
    assert_refused(stage.acme.edit(1, |device| device.parent = Some(device_id(9))).await);
    assert_refused(stage.acme.edit(1, |device| device.end_user = Some(end_user_id(9))).await);
    assert_refused(stage.acme.edit(1, |device| device.own_customer = Some(customer_id(9))).await);
    let nowhere = unheard(key, NewDevice { id: device_id(2), ..device(1) });
    let outcome = stage.acme.write(move |tx| {
        tx.devices_store(std::slice::from_ref(&nowhere))?;
        Ok(tx.device_by_id(device_id(2))?)
    });
    // A store may also take it for a device that is gone.
    match outcome.await {
        Ok(found) => assert_eq!(found, None),
        refused => assert_refused(refused),
    }
    assert_eq!(stage.acme.device(device_id(1)).await?, before);
    Ok(())
}

/// Whoever locks a device to change it sees the last change, also after having read it before: of
/// changes at once, none is lost.
pub async fn changes_at_once_are_not_lost(stage: Stage) -> Outcome {
    stage.acme.register(&NewDevice { name: name("0"), ..device(1) }).await?;
    let count = |tx: &mut dyn WriteTx| {
        let device = edit(tx, 1, &mut |device| {
            let count: u64 = device.name.as_str().parse().unwrap_or_default();
            device.name = name(&(count + 1).to_string());
        })?;
        Outcome::Ok(device.name.as_str().parse::<u64>().unwrap_or_default())
    };
    let race = Race::default();
    let slower = stage.acme.write({
        let race = race.clone();
        move |tx| {
            tx.device_by_id(device_id(1))?;
            race.let_rival_pass();
            count(tx)
        }
    });
    let mut counts = race.run(slower, stage.acme.write(count)).await?.to_vec();
    counts.extend(crowd(12, |_| stage.acme.write(count)).await?);
    counts.sort();
    assert_eq!(counts, (1..=14).collect::<Vec<_>>());
    Ok(())
}

/// Once a device is locked, nobody else changes it before the transaction ends: neither through the
/// API nor through its messages.
pub async fn locked_device_stays_as_it_is(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.register(&device_below(2, 1, 1)).await?;
    let race = Race::default();
    let slower = stage.acme.write({
        let race = race.clone();
        move |tx| {
            let locked = tx.devices_locked(&[1, 2].map(device_id))?;
            race.let_rival_pass();
            let mut again = tx.devices_by_ids(&[1, 2].map(device_id))?;
            again.sort_by_key(|device| locked.iter().position(|other| other.id == device.id));
            assert_eq!(again, locked);
            Ok(())
        }
    });
    let rival = stage.acme.write(move |tx| {
        let mut states = tx.device_states(&[key])?;
        for state in &mut states {
            state.telemetry.message_count += 1;
        }
        tx.device_states_store(&states)?;
        edit(tx, 2, &mut |device| device.name = name("renamed")).map(drop)
    });
    race.run(slower, rival).await?;
    let state = stage.acme.state(key).await?;
    assert_eq!(state.map(|state| state.telemetry.message_count), Some(1));
    let below = stage.acme.device(device_id(2)).await?;
    assert_eq!(below.map(|device| device.name), Some(name("renamed")));
    Ok(())
}
