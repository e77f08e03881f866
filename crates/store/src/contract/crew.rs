//! The threads that run the work: panics, full queues, the end.

use std::pin::pin;
use std::task::Poll;

use super::failure::{Outcome, assert_broken, assert_unavailable};
use super::fixtures::{ANY_DEVICE, api_key, device, reading};
use super::race::{A_MOMENT, Gate, begin, crowd};
use super::stage::Stage;
use super::tenant::register;
use crate::{Health, Purpose};

/// More work than any store has threads.
const MANY: usize = 24;

/// More devices than a store finds or stores with one statement at leisure.
const SEVERAL: u64 = 260;

/// How much work the longest sensible queue holds.
const TOO_MANY: usize = 100_000;

/// Work that panics is an error, leaves nothing behind, and the store goes on.
pub async fn panic_is_an_error_and_the_store_goes_on(stage: Stage) -> Outcome {
    for _ in 0..MANY {
        let read: Outcome = stage.acme.read(|_| panic!("on purpose")).await;
        assert_broken(read);
        let wrote: Outcome = stage
            .acme
            .write(|tx| {
                register(tx, &device(1))?;
                panic!("on purpose")
            })
            .await;
        assert_broken(wrote);
        let id = stage.acme.id();
        let settled: Outcome = stage
            .settle(move |tx| {
                register(tx.scoped(id)?, &device(1))?;
                panic!("on purpose")
            })
            .await;
        assert_broken(settled);
    }
    assert_eq!(stage.acme.belongings().await?.device_count, 0);
    stage.globex.register(&device(1)).await?;
    Ok(())
}

/// What is settled at leisure is settled like anything else, however much it is, between what came
/// before and after; it fails like anything else, too.
pub async fn work_at_leisure_is_done_like_any_other(stage: Stage) -> Outcome {
    let id = stage.acme.id();
    let mut keys = Vec::new();
    for number in 1..=SEVERAL {
        keys.push(stage.acme.register(&device(number)).await?);
    }
    let devices = keys.clone();
    let settling = stage.db.system(Purpose::SettleAtLeisure, move |tx| {
        let tx = tx.scoped(id)?;
        let mut states = tx.device_states(&devices)?;
        states.iter_mut().for_each(|state| state.telemetry.message_count += 7);
        tx.device_states_store(&states)?;
        for second in [5, 6] {
            let heard: Vec<_> = devices.iter().map(|key| (*key, reading(second, key.0))).collect();
            tx.readings_append(&heard)?;
        }
        Outcome::Ok(states.len() as u64)
    });
    let found = stage.acme.write({
        let devices = keys.clone();
        move |tx| Ok(tx.device_states(&devices)?)
    });
    let (settled, found) = tokio::join!(settling, found);
    assert_eq!((settled?, found?.len() as u64), (SEVERAL, SEVERAL));
    for key in keys {
        let state = stage.acme.state(key).await?;
        assert_eq!(state.map(|state| state.telemetry.message_count), Some(7));
        assert_eq!(stage.acme.readings(key).await?, [reading(5, key.0), reading(6, key.0)]);
    }
    let failed: Outcome = stage
        .db
        .system(Purpose::SettleAtLeisure, move |tx| {
            register(tx.scoped(id)?, &device(SEVERAL + 1))?;
            panic!("on purpose")
        })
        .await;
    assert_broken(failed);
    assert_eq!(stage.acme.belongings().await?.device_count, SEVERAL);
    Ok(())
}

/// Work whose caller stops waiting is carried out whole.
pub async fn hanging_up_leaves_nothing_half_done(stage: Stage) -> Outcome {
    let (begun, dropped) = (Gate::default(), Gate::default());
    {
        let writing = stage.acme.write({
            let (begun, dropped) = (begun.clone(), dropped.clone());
            move |tx| {
                tx.lock_device_tree()?;
                register(tx, &device(1))?;
                begun.open();
                dropped.wait();
                register(tx, &device(2))
            }
        });
        let mut writing = pin!(writing);
        assert!(begin(writing.as_mut()).await.is_pending());
        begun.opened().await;
    }
    dropped.open();
    let count = stage.acme.write(|tx| {
        tx.lock_device_tree()?;
        Ok(tx.devices_count(&ANY_DEVICE)?)
    });
    assert_eq!(count.await?, 2);
    Ok(())
}

/// Where a queue is full, more reads are refused at once, and what was taken is done.
pub async fn full_queue_of_reads_refuses_more(stage: Stage) -> Outcome {
    let gate = Gate::default();
    let mut taken = Vec::new();
    let refused = loop {
        let gate = gate.clone();
        let mut work = Box::pin(stage.acme.read(move |_| {
            gate.wait();
            Ok(())
        }));
        match begin(work.as_mut()).await {
            Poll::Pending => taken.push(work),
            Poll::Ready(outcome) => break outcome,
        }
        assert!(taken.len() < TOO_MANY, "the queue has no end");
    };
    gate.open();
    assert_unavailable(refused);
    for work in taken {
        work.await?;
    }
    Ok(())
}

/// Where a queue is full, more writes are refused at once, and what was taken is done.
pub async fn full_queue_of_writes_refuses_more(stage: Stage) -> Outcome {
    let gate = Gate::default();
    let mut taken = Vec::new();
    let refused = loop {
        let gate = gate.clone();
        let mut work = Box::pin(stage.acme.write(move |_| {
            gate.wait();
            Ok(())
        }));
        match begin(work.as_mut()).await {
            Poll::Pending => taken.push(work),
            Poll::Ready(outcome) => break outcome,
        }
        assert!(taken.len() < TOO_MANY, "the queue has no end");
    };
    gate.open();
    assert_unavailable(refused);
    for work in taken {
        work.await?;
    }
    Ok(())
}

/// Closing waits for what runs and finishes what is queued; afterwards nothing is taken, and closing
/// again does nothing.
pub async fn close_finishes_what_is_queued(stage: Stage) -> Outcome {
    let gate = Gate::default();
    let queued = crowd(8, |turn| {
        let gate = gate.clone();
        stage.acme.write(move |tx| {
            gate.wait();
            Ok(tx.api_key_insert(&api_key(turn as u128, &turn.to_string(), 1))?)
        })
    });
    let mut queued = pin!(queued);
    assert!(begin(queued.as_mut()).await.is_pending());
    let db = stage.db.clone();
    let mut closing = tokio::task::spawn_blocking(move || db.close());
    let early = tokio::time::timeout(A_MOMENT, &mut closing).await;
    gate.open();
    assert!(early.is_err(), "the store closed while work was running");
    assert!(closing.await.is_ok());
    queued.await?;

    assert_unavailable(stage.acme.keys().await);
    assert_unavailable(stage.acme.add_key(&api_key(99, "late", 1)).await);
    assert_unavailable(stage.settle(|tx| Ok(tx.resellers()?)).await);
    let db = stage.db.clone();
    assert!(tokio::task::spawn_blocking(move || db.close()).await.is_ok());
    Ok(())
}

/// A store that works says so.
pub async fn health_is_good(stage: Stage) -> Outcome {
    stage.acme.reseller().await?;
    let Health { kind, trouble } = stage.db.health();
    assert!(["sqlite", "postgres"].contains(&kind), "{kind}");
    assert_eq!(trouble, None);
    Ok(())
}
