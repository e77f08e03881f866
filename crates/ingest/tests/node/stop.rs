//! A process that stops leaves nothing behind that another would not find.

use std::time::Duration;

use weir_ingest::NotTaken;
use weir_store::{Positions, Purpose, StoreError};

use crate::support::{Door, PATIENCE, Seen, Tenant, Way, on_both_stores, spool};

on_both_stores! {
    async fn a_process_that_stops_settles_everything_and_removes_its_spool(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        for second in 1..=20 {
            process.uplink(&acme, 1, second).await.unwrap();
        }
        let directory = process.directory().to_owned();
        process.stop().await;
        assert!(!directory.exists());
        assert_eq!(acme.seen(1).await, Seen { litres: (1..=20).collect(), messages: 20 });
        let position = world.past.system::<_, StoreError>(Purpose::Settle, |tx| tx.spool_positions(spool(1)));
        assert_eq!(position.await, Ok(Positions::default()), "forgotten");
        assert_eq!(acme.lease_holders().await, 0);
    }

    async fn what_cannot_be_settled_is_left_to_the_next_process(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        process.uplink(&acme, 1, 1).await.unwrap();
        let directory = process.directory().to_owned();
        process.stop_within(Duration::ZERO).await;
        assert!(directory.exists());
        world.gate.set(Door::Settle, Way::Open);
        let next = world.process(2);
        next.settled().await;
        assert!(!directory.exists());
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
    }

    async fn a_store_that_hangs_does_not_keep_the_process_from_stopping(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap();
        let directory = process.directory().to_owned();
        process.stop_within(Duration::ZERO).await;
        assert!(directory.exists());
    }

    async fn leases_that_cannot_be_given_back_are_given_back_by_the_next_process(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        let directory = process.directory().to_owned();
        process.stop().await;
        assert!(directory.exists(), "for the next process to find");
        assert_eq!(acme.lease_holders().await, 1);
        world.gate.set(Door::Settle, Way::Open);
        let next = world.process(2);
        next.settled().await;
        assert!(!directory.exists());
        assert_eq!(acme.lease_holders().await, 0);
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
    }

    async fn a_spool_that_was_forgotten_and_could_not_be_removed_is_not_replayed(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Settle, Way::Lost);
        let directory = process.directory().to_owned();
        process.stop().await;
        assert!(directory.exists());
        assert_eq!(acme.lease_holders().await, 0, "the store did forget it");
        world.gate.set(Door::Settle, Way::Open);
        let next = world.process(2);
        next.settled().await;
        assert!(!directory.exists());
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
        assert_eq!(acme.quota().await.used, 1);
    }

    async fn requests_that_are_late_take_no_more_leases(world) {
        let acme = Tenant::create(&world, "Acme", 8).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.stop_and_stay(PATIENCE).await;
        for second in 2..20 {
            let refused = process.uplink(&acme, 1, second).await.unwrap_err();
            assert!(matches!(refused, NotTaken::Spool(_)), "{refused:?}");
        }
        assert_eq!(acme.lease_holders().await, 0);
        assert_eq!(acme.quota().await.used, 1);
    }
}
