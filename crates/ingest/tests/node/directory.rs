//! Which device an EUI is, and how soon changes of that are known.

use std::sync::Arc;

use tokio::sync::watch;
use weir_domain::Eui;
use weir_ingest::NotTaken;
use weir_ingest::directory::Directory;
use weir_store::{Change, Listener, StoreError};

use crate::support::{
    Door, Process, Seen, Tenant, Way, World, at, hangs, on_both_stores, soon, spool,
};

on_both_stores! {
    async fn a_device_that_was_unknown_a_moment_ago_is_found(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        let elsewhere = world.another_machine().await;
        let process = world.process(1);
        for (eui, db) in [(1, &world.db), (2, &elsewhere.db)] {
            let refused = process.uplink(&acme, eui, 1).await.unwrap_err();
            assert!(matches!(refused, NotTaken::UnknownDevice(_)), "{refused}");
            acme.register_through(db, eui).await;
            process.uplink(&acme, eui, 2).await.unwrap();
        }
    }

    async fn many_that_are_not_known_yet_are_asked_for_at_once(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        for eui in 1..=40 {
            acme.register(eui).await;
        }
        let process = world.process(1);
        process.uplink(&acme, 99, 1).await.unwrap_err();
        let before = world.gate.calls(Door::Read);
        world.gate.set(Door::Read, Way::Held);
        let mut uplinks: Vec<_> =
            (1..=41).map(|eui| Box::pin(process.uplink(&acme, eui, 1))).collect();
        for uplink in &mut uplinks {
            assert!(hangs(uplink).await);
        }
        world.gate.set(Door::Read, Way::Open);
        for (eui, uplink) in (1..).zip(uplinks) {
            let taken = soon(uplink).await;
            match eui {
                41 => assert!(matches!(taken, Err(NotTaken::UnknownDevice(_))), "{taken:?}"),
                _ => assert_eq!(taken.unwrap().dev_eui.bits(), eui),
            }
        }
        // Whoever comes first is asked for alone, and the others meanwhile gather.
        let asked = world.gate.calls(Door::Read) - before;
        assert!((1..=2).contains(&asked), "asked {asked} times");
    }

    async fn a_known_device_is_not_asked_for_until_it_or_its_reseller_changes(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        acme.register(1).await;
        let process = world.process(1);
        let mut clock = 0;
        assert!(asks(&world, &process, &acme, &mut clock).await);
        rests(&world, &process, &acme, &mut clock).await;
        acme.touch(&world.past, 1).await;
        assert!(asks(&world, &process, &acme, &mut clock).await);
        rests(&world, &process, &acme, &mut clock).await;
        acme.change(&world.past, |acme| acme.aliases.clear()).await;
        assert!(asks(&world, &process, &acme, &mut clock).await);
        rests(&world, &process, &acme, &mut clock).await;
        world.gate.tell_missed();
        assert!(asks(&world, &process, &acme, &mut clock).await);
        rests(&world, &process, &acme, &mut clock).await;
    }

    async fn changes_on_another_node_are_heard(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        acme.register(1).await;
        let elsewhere = world.another_machine().await;
        let process = world.process(1);
        let mut clock = 0;
        asks(&world, &process, &acme, &mut clock).await;
        rests(&world, &process, &acme, &mut clock).await;
        // Whoever listens after the process is told after it.
        let (heard, mut news) = watch::channel(0);
        world.past.listen(Arc::new(Ears(heard)));
        acme.touch(&elsewhere.past, 1).await;
        soon(news.wait_for(|heard| *heard > 0)).await.unwrap();
        assert!(asks(&world, &process, &acme, &mut clock).await);
        acme.change(&elsewhere.past, |acme| acme.aliases.clear()).await;
        soon(news.wait_for(|heard| *heard > 1)).await.unwrap();
        assert!(asks(&world, &process, &acme, &mut clock).await);
    }

    async fn a_known_device_is_served_while_the_store_is_away(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        acme.register(1).await;
        acme.register(2).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        process.settled().await;
        world.gate.set_all(Way::Away);
        process.uplink(&acme, 1, 2).await.unwrap();
        world.gate.tell_missed();
        process.uplink(&acme, 1, 3).await.unwrap();
        acme.touch(&world.past, 1).await;
        process.uplink(&acme, 1, 4).await.unwrap();
        acme.change(&world.past, |acme| acme.aliases.clear()).await;
        process.uplink(&acme, 1, 5).await.unwrap();
        // What was not heard since the start cannot be decided.
        for eui in [2, 3] {
            let refused = process.uplink(&acme, eui, 6).await.unwrap_err();
            assert!(
                matches!(refused, NotTaken::Store(StoreError::Unavailable(_))),
                "{refused:?}"
            );
        }
        world.gate.set_all(Way::Open);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: (1..=5).collect(), messages: 5 });
        assert_eq!(acme.seen(2).await.messages, 0);
        assert_eq!(acme.sighted().await, []);
    }

    async fn whoever_asks_for_a_device_at_once_knows_of_the_same_readings(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let directory = Directory::new(&world.db, spool(1));
        let find = || directory.find(acme.scope(), Eui::from_bits(1));
        world.gate.set(Door::Read, Way::Held);
        let open = async {
            world.gate.called_beyond(Door::Read, 0).await;
            world.gate.set(Door::Read, Way::Open);
        };
        let (one, other, ()) = tokio::join!(find(), find(), open);
        let (one, other) = (one.unwrap().unwrap(), other.unwrap().unwrap());
        assert!(one.note(at(5)), "newer than all");
        assert!(!other.note(at(5)));
        assert!(other.note(at(6)));
        assert!(!find().await.unwrap().unwrap().note(at(6)));
    }

    async fn a_device_that_changes_while_it_is_asked_for_is_asked_for_again(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Read, Way::Held);
        let mut clock = 0;
        let asked = async { asks(&world, &process, &acme, &mut clock).await };
        let change = async {
            world.gate.called_beyond(Door::Read, 0).await;
            acme.touch(&world.past, 1).await;
            world.gate.set(Door::Read, Way::Open);
        };
        assert!(tokio::join!(asked, change).0);
        assert!(asks(&world, &process, &acme, &mut clock).await, "it was not kept");
        rests(&world, &process, &acme, &mut clock).await;
    }
}

/// Whether an uplink of device 1 that is newer than all before asks the store for the device.
async fn asks(world: &World, process: &Process, tenant: &Tenant, clock: &mut i64) -> bool {
    *clock += 1;
    let before = world.gate.calls(Door::Read);
    process.uplink(tenant, 1, *clock).await.unwrap();
    world.gate.calls(Door::Read) > before
}

/// Waits until uplinks of device 1 do not ask any more: news of one's own may come back in a while.
async fn rests(world: &World, process: &Process, tenant: &Tenant, clock: &mut i64) {
    soon(async { while asks(world, process, tenant, clock).await {} }).await;
}

/// Counts what it is told of devices and resellers.
struct Ears(watch::Sender<u64>);

impl Listener for Ears {
    fn changed(&self, change: &Change) {
        if !matches!(change, Change::Settled(..)) {
            self.0.send_modify(|heard| *heard += 1);
        }
    }

    fn missed(&self) {
        self.0.send_modify(|heard| *heard += 1);
    }
}
