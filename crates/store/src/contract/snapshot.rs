//! What transactions see of each other while they run.

use super::failure::Outcome;
use super::fixtures::{ANY_DEVICE, api_key, device, device_id, reading, reseller};
use super::race::{Gate, crowd};
use super::stage::Stage;
use super::tenant::register;
use crate::ReadTx;

/// A read goes on seeing the state that it began with, whatever is committed meanwhile.
pub async fn read_sees_one_state(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.append(key, &[reading(1, 10)]).await?;
    let look = move |tx: &mut dyn ReadTx| {
        let newest = tx.volumes_newest(&[key], 9)?;
        Outcome::Ok((tx.reseller()?, tx.devices_count(&ANY_DEVICE)?, newest, tx.api_keys()?))
    };
    let (begun, written) = (Gate::default(), Gate::default());
    let reading_twice = stage.acme.read({
        let (begun, written) = (begun.clone(), written.clone());
        move |tx| {
            let first = look(tx)?;
            begun.open();
            written.wait();
            Ok((first, look(tx)?))
        }
    });
    let id = stage.acme.id();
    let writing = async {
        begun.opened().await;
        let outcome = stage.acme.write(move |tx| {
            tx.readings_append(&[(key, reading(2, 20))])?;
            register(tx, &device(2))?;
            tx.api_key_insert(&api_key(1, "new", 1))?;
            Ok(tx.reseller_update(&reseller(id, "renamed"))?)
        });
        let outcome = outcome.await;
        written.open();
        outcome
    };
    let (read, wrote) = tokio::join!(reading_twice, writing);
    wrote?;
    let (first, second) = read?;
    assert_eq!(first, second, "the state changed under a read");
    assert_ne!(stage.acme.read(look).await?, first, "a later read does not see the write");
    Ok(())
}

/// Nobody sees anything of a write before it is committed, and no read waits for it.
pub async fn write_is_unseen_until_it_commits(stage: Stage) -> Outcome {
    let (written, seen) = (Gate::default(), Gate::default());
    let writing = stage.acme.write({
        let (written, seen) = (written.clone(), seen.clone());
        move |tx| {
            register(tx, &device(1))?;
            written.open();
            seen.wait();
            Ok(())
        }
    });
    let looking = async {
        written.opened().await;
        let found = stage.acme.device(device_id(1)).await;
        seen.open();
        found
    };
    let (wrote, found) = tokio::join!(writing, looking);
    wrote?;
    assert_eq!(found?, None, "an uncommitted device is seen");
    assert!(stage.acme.device(device_id(1)).await?.is_some());
    Ok(())
}

/// What a write has committed is seen by every read that begins after it returned.
pub async fn committed_write_is_seen_at_once(stage: Stage) -> Outcome {
    for number in 1..=20 {
        stage.acme.register(&device(number)).await?;
        let counts = crowd(6, |_| stage.acme.read(|tx| Ok(tx.devices_count(&ANY_DEVICE)?))).await?;
        assert_eq!(counts, [number; 6]);
    }
    Ok(())
}
