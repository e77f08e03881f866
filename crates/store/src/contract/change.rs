//! Announcements of changes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use weir_domain::{DeviceKey, Eui};

use super::failure::{Failed, Outcome};
use super::fixtures::{api_key, spool};
use super::race::Gate;
use super::stage::Stage;
use crate::{Change, Listener, StoreError};

/// Remembers what it is told. What comes twice, as news of one's own doings may that also travel to
/// other nodes, is remembered once.
#[derive(Default)]
struct Ear(Mutex<Vec<Change>>);

impl Ear {
    fn listening_to(stage: &Stage) -> Arc<Self> {
        let ear = Arc::new(Self::default());
        stage.db.listen(ear.clone());
        ear
    }

    fn heard(&self) -> Vec<Change> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Listener for Ear {
    fn changed(&self, change: &Change) {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !heard.contains(change) {
            heard.push(change.clone());
        }
    }

    fn missed(&self) {}
}

/// Every listener has heard of a change when the call returns, in the order of announcement.
pub async fn is_told_before_the_call_returns(stage: Stage) -> Outcome {
    let ears = [Ear::listening_to(&stage), Ear::listening_to(&stage)];
    let acme = stage.acme.id();
    let eui = Eui::from_bits(0xabcd_ef01_2345_6789);
    let ours = [Change::Reseller(acme), Change::Device(acme, eui)];
    let announced = ours.clone();
    stage
        .acme
        .write(move |tx| Ok(announced.iter().try_for_each(|change| tx.announce(change.clone()))?))
        .await?;
    for ear in &ears {
        assert_eq!(ear.heard(), ours);
    }
    let settled = Change::Settled(spool(1), vec![DeviceKey(1), DeviceKey(2)]);
    let announced = settled.clone();
    stage.settle(move |tx| Ok(tx.scoped(acme)?.announce(announced.clone())?)).await?;
    for ear in &ears {
        assert_eq!(ear.heard().last(), Some(&settled));
    }
    Ok(())
}

/// A change is told after the commit: who asks upon hearing of it finds it.
pub async fn is_told_after_the_commit(stage: Stage) -> Outcome {
    /// Holds the store up while it tells, so that there is time to look.
    struct Holding {
        told: Gate,
        looked: Gate,
    }

    impl Listener for Holding {
        fn changed(&self, _: &Change) {
            self.told.open();
            self.looked.wait();
        }

        fn missed(&self) {}
    }

    let (told, looked) = (Gate::default(), Gate::default());
    stage.db.listen(Arc::new(Holding { told: told.clone(), looked: looked.clone() }));
    let acme = stage.acme.id();
    let writing = stage.acme.write(move |tx| {
        tx.announce(Change::Reseller(acme))?;
        Ok(tx.api_key_insert(&api_key(1, "default", 1))?)
    });
    let looking = async {
        told.opened().await;
        let keys = stage.acme.keys().await;
        looked.open();
        keys
    };
    let (wrote, keys) = tokio::join!(writing, looking);
    wrote?;
    assert_eq!(keys?, [api_key(1, "default", 1)]);
    Ok(())
}

/// What is undone is not told, whether the work changed its mind, panicked or was run again.
pub async fn is_not_told_when_undone(stage: Stage) -> Outcome {
    let ear = Ear::listening_to(&stage);
    let acme = stage.acme.id();
    let doomed = Change::Device(acme, Eui::from_bits(1));
    let announced = doomed.clone();
    let outcome: Outcome = stage
        .acme
        .write(move |tx| {
            tx.announce(announced.clone())?;
            Err(StoreError::Broken("changed its mind".into()).into())
        })
        .await;
    assert!(outcome.is_err());
    let announced = doomed.clone();
    let outcome: Outcome = stage
        .acme
        .write(move |tx| {
            tx.announce(announced.clone())?;
            panic!("on purpose")
        })
        .await;
    assert!(outcome.is_err());
    let lost = AtomicBool::new(false);
    stage
        .acme
        .write(move |tx| {
            if !lost.swap(true, Ordering::SeqCst) {
                tx.announce(doomed.clone())?;
                return Err(Failed::from(StoreError::Contended));
            }
            Ok(tx.announce(Change::Reseller(acme))?)
        })
        .await?;
    assert_eq!(ear.heard(), [Change::Reseller(acme)]);
    Ok(())
}

/// The longest change that may be announced can be.
pub async fn of_the_longest_kind_is_told(stage: Stage) -> Outcome {
    let ear = Ear::listening_to(&stage);
    let keys = (0..Change::MAX_SETTLED as i64).map(|n| DeviceKey(i64::MAX - n)).collect();
    let change = Change::Settled(spool(u128::MAX), keys);
    let announced = change.clone();
    stage.acme.write(move |tx| Ok(tx.announce(announced.clone())?)).await?;
    assert_eq!(ear.heard(), [change]);
    Ok(())
}
