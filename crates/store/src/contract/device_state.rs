//! What messages change about devices.

use weir_domain::{Battery, Device, DeviceKey, Position, Status, Telemetry};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{at, device, device_id, full_telemetry, seen_at};
use super::race::{Race, crowd};
use super::stage::Stage;
use crate::{DeviceState, StoreError, WriteTx};

/// A new device is live and offline, and nothing was heard of it.
pub async fn starts_with_nothing_heard(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let expected = DeviceState {
        key,
        status: Status::Offline,
        is_live: true,
        telemetry: Telemetry::default(),
        days_until: None,
    };
    assert_eq!(stage.acme.state(key).await?, Some(expected));
    Ok(())
}

/// Every field comes back as it was stored, from the states and from the device.
pub async fn is_read_as_stored(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let full = full_telemetry();
    let sparse = [
        Telemetry::default(),
        Telemetry {
            position: Position { latitude: Some(90.0), ..Position::default() },
            ..seen_at(5)
        },
        Telemetry {
            position: Position { longitude: Some(-180.0), ..Position::default() },
            ..seen_at(6)
        },
        Telemetry {
            position: Position { altitude: Some(f64::MAX), ..Position::default() },
            ..seen_at(7)
        },
        Telemetry { battery: Some(Battery::from_microvolts(1_000_000_000)), ..seen_at(8) },
        Telemetry { battery: Some(Battery::from_microvolts(0)), ..full.clone() },
    ];
    let statuses = [Status::Online, Status::Maintenance, Status::Offline].into_iter().cycle();
    for (telemetry, status) in [full].into_iter().chain(sparse).zip(statuses) {
        let state = DeviceState { key, status, is_live: true, telemetry, days_until: None };
        stage.acme.store_state(&state).await?;
        assert_eq!(stage.acme.state(key).await?.as_ref(), Some(&state));
        let device = stage.acme.device(device_id(1)).await?;
        let seen = device.map(|device| (device.status, device.telemetry));
        assert_eq!(seen, Some((state.status, state.telemetry)));
    }
    Ok(())
}

/// Storing a state changes nothing else about the device: not when it was updated, not whether it
/// lives.
pub async fn store_leaves_the_rest_alone(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let before = stage.acme.device(device_id(1)).await?;
    let telemetry = seen_at(1_000);
    let state = DeviceState {
        key,
        status: Status::Online,
        is_live: false,
        telemetry: telemetry.clone(),
        days_until: None,
    };
    stage.acme.store_state(&state).await?;
    let expected = before.map(|device| Device { status: Status::Online, telemetry, ..device });
    assert_eq!(stage.acme.device(device_id(1)).await?, expected);
    Ok(())
}

/// Of the devices named, those that this reseller does not have are left out, be they ever so many.
pub async fn strangers_are_left_out(stage: Stage) -> Outcome {
    let ours = [stage.acme.register(&device(1)).await?, stage.acme.register(&device(2)).await?];
    let theirs = stage.globex.register(&device(3)).await?;
    let found = stage.acme.write(move |tx| {
        // More than any store can take as single parameters.
        let mut keys: Vec<_> = (0..40_000).map(|n| DeviceKey(i64::MAX - n)).collect();
        keys.extend([ours[1], theirs, DeviceKey(-1), ours[0]]);
        Ok((tx.device_states(&keys)?, tx.device_states(&[])?))
    });
    let (found, none) = found.await?;
    let mut found: Vec<_> = found.into_iter().map(|state| state.key).collect();
    found.sort();
    assert_eq!(found, ours);
    assert_eq!(none, []);
    Ok(())
}

/// Several are stored in one call, none is stored as well.
pub async fn many_are_stored_at_once(stage: Stage) -> Outcome {
    let mut states = Vec::new();
    for number in 1..=20 {
        let key = stage.acme.register(&device(number)).await?;
        let telemetry = seen_at(number as i64);
        states.push(DeviceState {
            key,
            status: Status::Online,
            is_live: true,
            telemetry,
            days_until: None,
        });
    }
    states.reverse();
    let stored = states.clone();
    let found = stage.acme.write(move |tx| {
        tx.device_states_store(&stored)?;
        tx.device_states_store(&[])?;
        let keys: Vec<_> = stored.iter().map(|state| state.key).collect();
        Ok(tx.device_states(&keys)?)
    });
    let mut found = found.await?;
    found.sort_by_key(|state| std::cmp::Reverse(state.key));
    states.sort_by_key(|state| std::cmp::Reverse(state.key));
    assert_eq!(found, states);
    Ok(())
}

/// A state of another reseller's device is refused or passed over, never stored.
pub async fn of_another_resellers_device_is_never_stored(stage: Stage) -> Outcome {
    let key = stage.globex.register(&device(1)).await?;
    let before = stage.globex.device(device_id(1)).await?;
    let state = DeviceState {
        key,
        status: Status::Online,
        is_live: true,
        telemetry: seen_at(1),
        days_until: None,
    };
    let outcome = stage.acme.store_state(&state).await;
    if outcome.is_err() {
        assert_refused(outcome);
    }
    assert_eq!(stage.globex.device(device_id(1)).await?, before);
    Ok(())
}

/// Whoever reads a state to change it sees the last change: messages that are counted at once are
/// all counted.
pub async fn changes_at_once_are_not_lost(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let count = move |tx: &mut dyn WriteTx| {
        let mut states = tx.device_states(&[key])?;
        let state = states.first_mut().ok_or(StoreError::Broken("the device is gone".into()))?;
        state.telemetry.message_count += 1;
        state.telemetry.last_seen_at = Some(at(state.telemetry.message_count));
        let count = state.telemetry.message_count;
        tx.device_states_store(&states)?;
        Ok(count)
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
