//! Repeats are told apart, settled or not.

use futures_util::future::join_all;
use weir_ingest::NotTaken;

use crate::support::{Door, Seen, Store, Tenant, Way, World, hangs, on_both_stores};

on_both_stores! {
    async fn of_many_identical_uplinks_at_once_exactly_one_is_no_duplicate(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        for (round, way) in [(1, Way::Open), (2, Way::Held)] {
            process.settled().await;
            world.gate.set(Door::Settle, way);
            let answers = join_all((0..50).map(|_| process.uplink(&acme, 1, round))).await;
            let fresh = answers.iter().filter(|answer| !answer.as_ref().unwrap().duplicate);
            assert_eq!(fresh.count(), 1);
            let ids: std::collections::HashSet<_> =
                answers.iter().map(|answer| answer.as_ref().unwrap().id).collect();
            assert_eq!(ids.len(), 1);
            world.gate.set(Door::Settle, Way::Open);
        }
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 2], messages: 100 });
        assert_eq!(acme.quota().await.used, 100);
    }

    async fn a_repeat_of_a_late_reading_that_is_not_settled_is_told(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 9).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        assert!(!process.uplink(&acme, 1, 5).await.unwrap().duplicate);
        assert!(process.uplink(&acme, 1, 5).await.unwrap().duplicate);
        assert!(process.uplink(&acme, 1, 9).await.unwrap().duplicate, "settled");
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert!(process.uplink(&acme, 1, 5).await.unwrap().duplicate);
    }

    async fn with_the_store_away_a_late_reading_goes_without_the_flag_and_is_stored_once(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        for second in [5, 9] {
            process.uplink(&acme, 1, second).await.unwrap();
        }
        process.settled().await;
        world.gate.set_all(Way::Away);
        assert!(!process.uplink(&acme, 1, 5).await.unwrap().duplicate);
        assert!(process.uplink(&acme, 1, 5).await.unwrap().duplicate, "on its way since");
        assert!(!process.uplink(&acme, 1, 7).await.unwrap().duplicate);
        world.gate.set_all(Way::Open);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![5, 7, 9], messages: 5 });
    }

    async fn a_repeat_of_what_a_dead_process_left_unsettled_is_told(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let dead = world.process(1);
        dead.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        dead.uplink(&acme, 1, 1).await.unwrap();
        dead.crash().await;
        world.gate.set(Door::Settle, Way::Held);
        let calls = world.gate.calls(Door::Settle);
        let process = world.process(2);
        world.gate.called_beyond(Door::Settle, calls).await;
        let repeat = process.uplink(&acme, 1, 1);
        let recover = async { world.gate.set(Door::Settle, Way::Open) };
        let (repeat, ()) = tokio::join!(repeat, recover);
        assert!(repeat.unwrap().duplicate);
    }

    async fn a_device_that_changes_while_readings_of_it_are_unsettled_keeps_them(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 9).await.unwrap();
        acme.touch(&world.past, 1).await;
        assert!(!process.uplink(&acme, 1, 5).await.unwrap().duplicate, "asks for the device again");
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert!(process.uplink(&acme, 1, 9).await.unwrap().duplicate);
    }

    async fn a_reading_whose_sender_hung_up_before_the_spool_is_no_repeat(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 9).await.unwrap();
        process.settled().await;
        world.gate.set(Door::Read, Way::Held);
        assert!(hangs(process.uplink(&acme, 1, 5)).await, "asks whether it is a repeat");
        world.gate.set(Door::Read, Way::Open);
        assert!(!process.uplink(&acme, 1, 5).await.unwrap().duplicate);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![5, 9], messages: 2 });
        assert_eq!(acme.quota().await.used, 2);
    }

    async fn a_reading_that_the_spool_refused_is_no_repeat(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.stop_and_stay(crate::support::PATIENCE).await;
        for _ in 0..2 {
            let refused = process.uplink(&acme, 1, 2).await.unwrap_err();
            assert!(matches!(refused, NotTaken::Spool(_)), "{refused:?}");
        }
        process.crash().await;
        let next = world.process(2);
        assert!(!next.uplink(&acme, 1, 2).await.unwrap().duplicate);
        next.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 2], messages: 2 });
    }
}

/// On PostgreSQL, which serves several nodes. What one process settles in a SQLite file is not told to
/// the others, so there such a repeat may go without its flag.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reading_that_another_node_settled_is_told() {
    let world = World::new(Store::Postgres).await;
    let acme = Tenant::create(&world, "Acme", 1_000_000).await;
    acme.register(1).await;
    let elsewhere = world.another_machine().await;
    let (here, there) = (world.process(1), elsewhere.process(2));
    here.uplink(&acme, 1, 1).await.unwrap();
    here.settled().await;
    there.uplink(&acme, 1, 2).await.unwrap();
    there.settled().await;
    let mut heard = false;
    // News travel for a moment; until then the reading is newer than all that are known here.
    for second in 3..10_000 {
        let reads = world.gate.calls(Door::Read);
        here.uplink(&acme, 1, second).await.unwrap();
        heard = world.gate.calls(Door::Read) > reads;
        if heard {
            break;
        }
    }
    assert!(heard);
    assert!(here.uplink(&acme, 1, 2).await.unwrap().duplicate);
}
