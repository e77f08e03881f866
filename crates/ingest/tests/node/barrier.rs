//! One sees one's own uplinks.

use std::time::Duration;

use weir_ingest::Options;
use weir_store::StoreError;

use crate::support::{Door, PATIENCE, Seen, Tenant, Way, hangs, on_both_stores, patient, soon};

on_both_stores! {
    async fn a_read_that_begins_after_an_acknowledgement_sees_it(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        let db = world.db.behind(process.barrier());
        for round in 1..=100 {
            process.uplink(&acme, 1, round).await.unwrap();
            let seen = soon(acme.seen_through(&db, 1)).await.unwrap();
            assert_eq!(seen, Seen { litres: (1..=round).collect(), messages: round });
        }
    }

    async fn reads_beside_a_stream_of_uplinks_see_what_was_acknowledged_before_them(world) {
        let acme = Tenant::create(&world, "Acme", 10_000).await;
        acme.register(1).await;
        acme.register(2).await;
        let process = world.process(1);
        let db = world.db.behind(process.barrier());
        let stream = async {
            for second in 1..=300 {
                process.uplink(&acme, 2, second).await.unwrap();
            }
        };
        let reads = async {
            for round in 1..=20 {
                process.uplink(&acme, 1, round).await.unwrap();
                let seen = soon(acme.seen_through(&db, 1)).await.unwrap();
                assert_eq!(seen.messages, round);
            }
        };
        tokio::join!(stream, reads);
    }

    async fn what_waits_of_others_holds_nobody_up(world) {
        let (acme, globex) =
            (Tenant::create(&world, "Acme", 1000).await, Tenant::create(&world, "Globex", 1000).await);
        acme.register(1).await;
        globex.register(2).await;
        let process = world.process(1);
        let db = world.db.behind(process.barrier());
        process.uplink(&globex, 2, 1).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap();
        let seen = soon(globex.seen_through(&db, 2)).await.unwrap();
        assert_eq!(seen, Seen { litres: vec![1], messages: 1 });
        let mut own = Box::pin(acme.seen_through(&db, 1));
        assert!(hangs(&mut own).await);
        world.gate.set(Door::Settle, Way::Open);
        assert_eq!(soon(own).await.unwrap().messages, 1);
    }

    async fn settling_takes_its_time_until_somebody_waits(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        let db = world.db.behind(process.barrier());
        process.settled().await;
        assert_eq!(world.gate.settled_at_leisure(), 0);
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap();
        soon(async { while world.gate.settled_at_leisure() < 1 { tokio::task::yield_now().await } })
            .await;
        process.uplink(&acme, 1, 2).await.unwrap();
        let mut read = Box::pin(acme.seen_through(&db, 1));
        assert!(hangs(&mut read).await);
        world.gate.set(Door::Settle, Way::Open);
        assert_eq!(soon(read).await.unwrap().messages, 2);
        assert_eq!(world.gate.settled_at_leisure(), 1);
    }

    async fn a_write_waits_too(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let process = world.process(1);
        let db = world.db.behind(process.barrier());
        process.settled().await;
        process.uplink(&acme, 1, 1).await.unwrap_err();
        let eui = weir_domain::Eui::from_bits(1);
        let taken =
            db.write::<_, StoreError>(acme.scope(), move |tx| tx.sighting_take(eui)).await.unwrap();
        assert_eq!(taken.unwrap().1.len(), 1);
    }

    async fn past_the_bound_a_read_is_refused_rather_than_stale(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let hasty = Options { barrier: Duration::from_millis(50), ..patient() };
        let process = world.process_with(1, hasty);
        let db = world.db.behind(process.barrier());
        process.uplink(&acme, 1, 1).await.unwrap();
        soon(async { while acme.seen(1).await.messages < 1 {} }).await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 2).await.unwrap();
        let refused = soon(acme.seen_through(&db, 1)).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        world.gate.set(Door::Settle, Way::Open);
        let seen = soon(async {
            loop {
                match acme.seen_through(&db, 1).await {
                    Ok(seen) => break seen,
                    Err(error) => assert!(matches!(error, StoreError::Unavailable(_)), "{error}"),
                }
            }
        });
        assert_eq!(seen.await, Seen { litres: vec![1, 2], messages: 2 });
    }

    async fn reads_wait_for_what_an_earlier_process_acknowledged(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let dead = world.process(1);
        dead.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        dead.uplink(&acme, 1, 1).await.unwrap();
        dead.crash().await;
        let calls = world.gate.calls(Door::Settle);
        let process = world.process(2);
        let db = world.db.behind(process.barrier());
        world.gate.called_beyond(Door::Settle, calls).await;
        assert!(hangs(acme.seen_through(&db, 1)).await);
        world.gate.set(Door::Settle, Way::Open);
        let seen = soon(acme.seen_through(&db, 1)).await.unwrap();
        assert_eq!(seen, Seen { litres: vec![1], messages: 1 });
    }

    async fn without_a_settler_reads_are_refused_rather_than_stale(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.stop_and_stay(Duration::ZERO).await;
        let db = world.db.behind(process.barrier());
        let refused = tokio::time::timeout(PATIENCE / 2, acme.seen_through(&db, 1)).await;
        assert!(matches!(refused, Ok(Err(StoreError::Unavailable(_)))), "{refused:?}");
    }
}
