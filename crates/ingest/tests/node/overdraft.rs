//! While the store is away, a node goes by what it last knew to be left.

use weir_domain::Month;
use weir_ingest::NotTaken;
use weir_store::StoreError;

use crate::quota::{burst, taken};
use crate::support::{Door, Tenant, Way, at, on_both_stores};

on_both_stores! {
    async fn no_more_is_taken_than_was_known_to_be_left(world) {
        let acme = Tenant::create(&world, "Acme", 10).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set_all(Way::Away);
        assert_eq!(taken(&burst(&process, &acme, 101, 30).await), 9);
        // It is back, and asked before anything is settled.
        world.gate.set(Door::Write, Way::Open);
        acme.set_quota(10).await;
        assert_eq!(taken(&burst(&process, &acme, 201, 10).await), 0);
        world.gate.set_all(Way::Open);
        process.settled().await;
        acme.set_quota(10).await;
        assert_eq!(taken(&burst(&process, &acme, 301, 10).await), 0);
        process.settled().await;
        let quota = acme.quota().await;
        assert_eq!((quota.used, quota.leased), (10, 0));
    }

    async fn what_was_borrowed_and_settled_leaves_the_rest_to_be_used(world) {
        let acme = Tenant::create(&world, "Acme", 40).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set_all(Way::Away);
        assert_eq!(taken(&burst(&process, &acme, 101, 20).await), 20);
        world.gate.set_all(Way::Open);
        process.settled().await;
        assert_eq!(taken(&burst(&process, &acme, 201, 40).await), 19);
        process.settled().await;
        let quota = acme.quota().await;
        assert_eq!((quota.used, quota.leased), (40, 0));
    }

    async fn what_was_borrowed_counts_after_a_crash(world) {
        let acme = Tenant::create(&world, "Acme", 10).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set_all(Way::Away);
        assert_eq!(taken(&burst(&process, &acme, 101, 5).await), 5);
        process.crash().await;
        world.gate.set_all(Way::Open);
        let next = world.process(2);
        next.settled().await;
        assert_eq!(taken(&burst(&next, &acme, 201, 30).await), 4);
        next.settled().await;
        assert_eq!(acme.quota().await.used, 10);
    }

    async fn a_new_month_has_all_of_its_quota(world) {
        let acme = Tenant::create(&world, "Acme", 10).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set_all(Way::Away);
        let next_month = 30 * 24 * 60 * 60;
        assert_eq!(taken(&burst(&process, &acme, next_month, 30).await), 10);
        world.gate.set_all(Way::Open);
        process.settled().await;
        acme.set_quota(10).await;
        assert_eq!(taken(&burst(&process, &acme, next_month + 100, 10).await), 0);
        assert_eq!(acme.quota_of(Month::of(at(next_month))).await.used, 10);
    }

    async fn a_reseller_of_whom_nothing_is_known_waits_for_the_store(world) {
        let acme = Tenant::create(&world, "Acme", 10).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set_all(Way::Away);
        let refused = process.uplink(&acme, 1, 1).await.unwrap_err();
        assert!(matches!(refused, NotTaken::Store(StoreError::Unavailable(_))), "{refused:?}");
        world.gate.set_all(Way::Open);
        process.uplink(&acme, 1, 1).await.unwrap();
    }
}
