//! What dead processes left is settled by the next, or by those beside them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Door, Seen, Tenant, Way, on_both_stores, soon, spool};

on_both_stores! {
    async fn all_spools_are_settled_and_removed_damaged_and_empty_ones_too(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let processes = [world.process(1), world.process(2), world.process(3), world.process(4)];
        for process in &processes {
            process.settled().await;
        }
        world.gate.set(Door::Settle, Way::Away);
        for (process, from) in processes.iter().zip([10, 20, 30]) {
            for second in from..from + 5 {
                process.uplink(&acme, 1, second).await.unwrap();
            }
        }
        for process in processes {
            process.crash().await;
        }
        flip_a_byte(&world.root().join(spool(2).to_string()));
        world.gate.set(Door::Settle, Way::Open);
        let process = world.process(5);
        process.settled().await;
        assert_eq!(spools(&world.root()), [world.root().join(spool(5).to_string())]);
        let seen = acme.seen(1).await;
        assert_eq!((seen.messages, seen.litres.len()), (14, 14));
        let lost: Vec<i64> = (20..25).filter(|litres| !seen.litres.contains(litres)).collect();
        assert_eq!(lost.len(), 1, "of the damaged one");
        let figures = process.health().figures;
        assert_eq!((figures.settled, figures.damaged, figures.missing), (14, 1, 1));
        assert_eq!(acme.quota().await.used, 14);
        process.stop().await;
        assert_eq!(acme.lease_holders().await, 0, "of the empty one as well");
    }

    async fn a_process_that_dies_beside_a_busy_one_is_recovered_by_it(world) {
        let acme = Tenant::create(&world, "Acme", 1_000_000).await;
        acme.register(1).await;
        acme.register(2).await;
        let (living, dying) = (world.process(1), world.process(2));
        living.settled().await;
        dying.settled().await;
        // What it acknowledges last is left to others.
        world.gate.set(Door::Settle, Way::Away);
        dying.uplink(&acme, 1, 1).await.unwrap();
        dying.crash().await;
        world.gate.set(Door::Settle, Way::Open);
        let mut second = 0;
        let stream = async {
            loop {
                second += 1;
                living.uplink(&acme, 2, second).await.unwrap();
            }
        };
        let recovered = async {
            while acme.seen(1).await.messages == 0 || spools(&world.root()).len() > 1 {}
        };
        tokio::select! {
            () = soon(recovered) => {}
            () = stream => {}
        }
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
    }

    async fn a_process_that_dies_while_it_recovers_another_loses_nothing(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let first = world.process(1);
        first.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        first.uplink(&acme, 1, 1).await.unwrap();
        first.crash().await;
        let calls = world.gate.calls(Door::Settle);
        let second = world.process(2);
        world.gate.called_beyond(Door::Settle, calls).await;
        second.crash().await;
        world.gate.set(Door::Settle, Way::Open);
        let third = world.process(3);
        third.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
        assert_eq!(spools(&world.root()).len(), 1);
    }

    async fn trouble_ends_with_its_cause(world) {
        world.process(1).crash().await;
        world.gate.set(Door::Settle, Way::Away);
        let calls = world.gate.calls(Door::Settle);
        let process = world.process(2);
        // Twice: the second attempt is made when the first was reported.
        world.gate.called_beyond(Door::Settle, calls + 1).await;
        assert!(process.health().figures.trouble.is_some());
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(process.health().figures.trouble, None);
    }
}

/// The directories of spools under a root.
fn spools(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).collect()
}

/// Changes a byte in the third record of a spool.
fn flip_a_byte(spool: &Path) {
    let files = fs::read_dir(spool).unwrap().map(|entry| entry.unwrap().path());
    let segment = files.filter(|path| path.extension().is_some_and(|extension| extension == "seg"));
    let segment = segment.min().unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    let name = b"a meter";
    let mut names = (0..bytes.len() - name.len()).filter(|at| bytes[*at..].starts_with(name));
    let third = names.nth(2).unwrap();
    bytes[third] ^= 0x40;
    fs::write(&segment, bytes).unwrap();
}
