//! What becomes of a transaction: kept, undone, run again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use weir_domain::Reseller;

use super::failure::{Failed, Outcome, assert_contended};
use super::fixtures::{ANY_DEVICE, api_key, device, device_id, name, reading, spool};
use super::race::crowd;
use super::stage::Stage;
use super::tenant::register;
use crate::{StoreError, WriteTx};

/// An error that no store makes.
fn change_of_mind<T>() -> Outcome<T> {
    Err(StoreError::Broken("changed its mind".into()).into())
}

/// `Ok` keeps everything, and the work sees its own writes before that.
pub async fn ok_commits_and_own_writes_are_seen(stage: Stage) -> Outcome {
    let seen = stage.acme.write(|tx| {
        let key = register(tx, &device(1))?;
        tx.readings_append(&[(key, reading(1, 10))])?;
        let newest = tx.volumes_newest(&[key], 5)?;
        Ok((key, tx.devices_count(&ANY_DEVICE)?, tx.device_by_id(device_id(1))?, newest))
    });
    let (key, count, device, newest) = seen.await?;
    assert_eq!(count, 1);
    assert_eq!(stage.acme.device(device_id(1)).await?, device);
    assert_eq!(device.map(|device| device.key), Some(key));
    assert_eq!(stage.acme.newest(&[key], 5).await?, newest);
    assert_eq!(newest, [[reading(1, 10).volume]]);
    Ok(())
}

/// `Err` undoes everything and comes back as it is.
pub async fn err_rolls_everything_back(stage: Stage) -> Outcome {
    stage.acme.furnish(100).await?;
    let before = stage.acme.belongings().await?;
    let outcome = stage.acme.write(|tx| {
        let key = register(tx, &device(1))?;
        tx.readings_append(&[(key, reading(1, 10))])?;
        tx.api_key_insert(&api_key(1, "doomed", 1))?;
        tx.sightings_evict(0, 0)?;
        tx.quota_leases_end(spool(1))?;
        change_of_mind::<()>()
    });
    let error = outcome.await.err().map(|failed| failed.error().clone());
    assert_eq!(error, Some(StoreError::Broken("changed its mind".into())));
    assert_eq!(stage.acme.belongings().await?, before);
    stage.globex.register(&device(1)).await?;
    Ok(())
}

/// A system transaction is undone as a whole, in every reseller it passed through.
pub async fn err_rolls_every_reseller_back(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let outcome = stage.administer(move |tx| {
        tx.scoped(acme)?.api_key_insert(&api_key(1, "doomed", 1))?;
        tx.scoped(globex)?.api_key_insert(&api_key(2, "doomed", 1))?;
        tx.tenant_name_claim("doomed", acme)?;
        tx.secret_keep(b"doomed")?;
        change_of_mind::<()>()
    });
    assert!(outcome.await.is_err());
    assert_eq!(stage.acme.keys().await?, []);
    assert_eq!(stage.globex.keys().await?, []);
    let after =
        stage.administer(|tx| Ok((tx.tenant_name_owner("doomed")?, tx.secret_keep(b"next")?)));
    assert_eq!(after.await?, (None, b"next".to_vec()));
    Ok(())
}

/// Work that makes nothing of a refusal and ends with `Ok` is kept as it is or fails as a whole; it
/// never seems to be kept and is not.
pub async fn ok_after_a_refusal_is_kept_or_fails(stage: Stage) -> Outcome {
    let outcome: Outcome = stage
        .acme
        .write(|tx| {
            tx.api_key_insert(&api_key(1, "default", 1))?;
            let _ = tx.api_key_insert(&api_key(2, "default", 2));
            Ok(())
        })
        .await;
    let expected = outcome.map_or(Vec::new(), |()| vec![api_key(1, "default", 1)]);
    assert_eq!(stage.acme.keys().await?, expected);
    Ok(())
}

/// Work that lost a race is undone and run again; what it wrote before is not there twice.
pub async fn lost_race_is_run_again(stage: Stage) -> Outcome {
    let runs = Arc::new(AtomicUsize::new(0));
    let lose_twice = {
        let runs = runs.clone();
        move || match runs.fetch_add(1, Ordering::SeqCst) % 3 {
            2 => Ok(()),
            _ => Err(Failed::from(StoreError::Contended)),
        }
    };
    let lose = lose_twice.clone();
    stage
        .acme
        .write(move |tx| {
            tx.api_key_insert(&api_key(1, "once", 1))?;
            lose()
        })
        .await?;
    assert_eq!(stage.acme.keys().await?, [api_key(1, "once", 1)]);
    let lose = lose_twice.clone();
    stage.administer(move |tx| tx.resellers().map_err(Failed::from).and_then(|_| lose())).await?;
    stage
        .acme
        .read(move |tx| tx.reseller().map_err(Failed::from).and_then(|_| lose_twice()))
        .await?;
    assert_eq!(runs.load(Ordering::SeqCst), 9);
    Ok(())
}

/// Work that loses every race is given up after a while, and nothing of it is kept.
pub async fn race_lost_for_ever_is_given_up(stage: Stage) -> Outcome {
    let outcome: Outcome = stage
        .acme
        .write(|tx| {
            tx.api_key_insert(&api_key(1, "never", 1))?;
            Err(StoreError::Contended.into())
        })
        .await;
    assert_contended(outcome);
    assert_contended(stage.acme.read(|_| Outcome::<()>::Err(StoreError::Contended.into())).await);
    assert_contended(stage.settle(|_| Outcome::<()>::Err(StoreError::Contended.into())).await);
    assert_eq!(stage.acme.keys().await?, []);
    Ok(())
}

/// What one transaction decided upon is not overwritten unseen by another that decided upon the same.
pub async fn decisions_at_once_are_not_lost(stage: Stage) -> Outcome {
    let raise = |tx: &mut dyn WriteTx| {
        let reseller = tx.reseller()?.ok_or(StoreError::Broken("the reseller is gone".into()))?;
        let monthly_quota = reseller.monthly_quota + 1;
        let called = name(&format!("acme {monthly_quota}"));
        tx.reseller_update(&Reseller { monthly_quota, name: called, ..reseller })?;
        Ok(monthly_quota)
    };
    let mut raised = crowd(12, |_| stage.acme.write(raise)).await?;
    raised.sort();
    assert_eq!(raised, (100_001..=100_012).collect::<Vec<_>>());
    Ok(())
}
