//! A reseller is not deleted under its uplinks.

use std::pin::pin;

use crate::support::{Door, Seen, Tenant, Way, World, on_both_stores, soon};

on_both_stores! {
    async fn it_stays_while_records_of_it_are_pending_and_goes_when_they_are_settled(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let globex = Tenant::create(&world, "Globex", 1000).await;
        acme.register(1).await;
        globex.register(2).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.uplink(&globex, 2, 1).await.unwrap();
        acme.close().await;
        assert!(!acme.delete().await);
        world.gate.set(Door::Settle, Way::Open);
        deleted(&acme).await;
        process.settled().await;
        assert_eq!(process.health().set_aside, 0);
        assert_eq!(globex.seen(2).await, Seen { litres: vec![1], messages: 1 });
        process.uplink(&globex, 2, 2).await.unwrap();
    }

    async fn it_stays_while_an_eui_that_nobody_registered_is_pending(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap_err();
        acme.close().await;
        assert!(!acme.delete().await);
        world.gate.set(Door::Settle, Way::Open);
        deleted(&acme).await;
        assert_eq!(process.health().set_aside, 0);
    }

    async fn it_stays_while_records_of_it_wait_in_the_spool_of_a_dead_process(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let dead = world.process(1);
        dead.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        dead.uplink(&acme, 1, 1).await.unwrap();
        dead.crash().await;
        acme.close().await;
        assert!(!acme.delete().await);
        world.gate.set(Door::Settle, Way::Open);
        let process = world.process(2);
        process.settled().await;
        deleted(&acme).await;
        assert_eq!(process.health().set_aside, 0);
    }

    async fn it_stays_while_a_request_is_between_the_quota_and_the_spool(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 9).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Read, Way::Held);
        let reads = world.gate.calls(Door::Read);
        let mut late = pin!(process.uplink(&acme, 1, 5));
        tokio::select! {
            answer = &mut late => panic!("{answer:?}"),
            () = world.gate.called_beyond(Door::Read, reads) => {}
        }
        acme.close().await;
        rounds(&world, &acme).await;
        assert!(!acme.delete().await);
        world.gate.set(Door::Read, Way::Open);
        soon(late).await.unwrap();
        deleted(&acme).await;
        assert_eq!(process.health().set_aside, 0);
    }

    async fn it_goes_although_the_node_is_busy(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let globex = Tenant::create(&world, "Globex", 1_000_000).await;
        acme.register(1).await;
        globex.register(2).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        acme.close().await;
        let mut second = 0;
        let stream = async {
            loop {
                second += 1;
                process.uplink(&globex, 2, second).await.unwrap();
            }
        };
        tokio::select! {
            () = deleted(&acme) => {}
            () = stream => {}
        }
        process.settled().await;
        assert_eq!(process.health().set_aside, 0);
        let seen = globex.seen(2).await;
        assert_eq!(seen.litres.len() as i64, seen.messages);
    }

    async fn a_lease_that_is_taken_after_the_reseller_began_to_close_ends_too(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        acme.close().await;
        // A request that was let in just before its key was closed.
        process.uplink(&acme, 1, 1).await.unwrap();
        assert_eq!(acme.lease_holders().await, 1);
        deleted(&acme).await;
        assert_eq!(process.health().set_aside, 0);
    }

    async fn a_reseller_that_is_gone_has_no_quota_and_leaves_no_lease(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        acme.close().await;
        deleted(&acme).await;
        assert_eq!(crate::quota::taken(&[process.uplink(&acme, 1, 2).await]), 0);
        assert_eq!(acme.lease_holders().await, 0);
        process.settled().await;
        assert_eq!(process.health().set_aside, 0);
    }
}

/// Deletes a reseller as soon as that is possible.
async fn deleted(tenant: &Tenant) {
    soon(async { while !tenant.delete().await {} }).await;
}

/// Waits until the settler has looked at the leases of a reseller that changed.
async fn rounds(world: &World, tenant: &Tenant) {
    for _ in 0..2 {
        let calls = world.gate.calls(Door::Settle);
        tenant.change(&world.past, |_| {}).await;
        world.gate.called_beyond(Door::Settle, calls).await;
    }
}
