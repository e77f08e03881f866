//! Exactly once: the position of a spool.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use weir_domain::{Eui, Month};
use weir_ingest::Options;
use weir_ingest::record::{Addressee, Record};
use weir_ingest::settle::{Numbered, settle};
use weir_store::{Lane, Lanes, Purpose};

use crate::support::{Door, Process, Seen, Tenant, Way, at, on_both_stores, patient, soon, spool};

on_both_stores! {
    async fn a_spool_made_anew_does_not_inherit_an_old_position(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let lost = world.process(1);
        for second in 1..=5 {
            lost.uplink(&acme, 1, second).await.unwrap();
        }
        lost.settled().await;
        lost.crash().await;
        fs::remove_dir_all(world.root()).unwrap();
        let anew = world.process(2);
        for second in 6..=8 {
            anew.uplink(&acme, 1, second).await.unwrap();
        }
        anew.settled().await;
        let seen = Seen { litres: (1..=8).collect(), messages: 8 };
        assert_eq!(acme.seen(1).await, seen);
    }

    async fn a_spool_that_is_replayed_after_it_was_settled_changes_nothing(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        for second in 1..=5 {
            process.uplink(&acme, 1, second).await.unwrap();
            process.uplink(&acme, 2, second).await.unwrap_err();
        }
        process.settled().await;
        let copy = copy_of(process.directory());
        process.crash().await;
        let second = Process::start(&world.db, copy.path(), 2, patient());
        second.settled().await;
        assert!(!copy.path().join(spool(1).to_string()).exists());
        let seen = Seen { litres: (1..=5).collect(), messages: 5 };
        assert_eq!(acme.seen(1).await, seen);
        assert_eq!(acme.sighted().await, [(2, 5)]);
        assert_eq!(acme.quota().await.used, 5);
        assert_eq!(second.health().figures.missing, 0);
    }

    async fn records_that_are_settled_twice_count_once(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let meter = acme.register(1).await;
        let of = |to, second| record(&acme, to, second);
        let to_nobody = Addressee::Unregistered(Eui::from_bits(2));
        let records: Vec<Numbered> = vec![
            (1, of(Addressee::Device(meter), 1)),
            (2, of(to_nobody, 2)),
            (4, of(Addressee::Device(meter), 4)),
        ];
        // As they are, as they are again, and with what came behind them.
        for records in [records[..2].to_vec(), records[..2].to_vec(), records] {
            let through = records.last().unwrap().0;
            let settled = world.past.system(Purpose::Settle, move |tx| {
                settle(tx, spool(1), &records, &Lanes::ALL, through)
            });
            settled.await.unwrap();
        }
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 4], messages: 2 });
        assert_eq!(acme.sighted().await, [(2, 1)]);
        assert_eq!(acme.quota().await.used, 2);
    }

    async fn lanes_that_are_settled_apart_count_once_whatever_comes_together_next(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let mut meter = acme.register(1).await;
        while Lane::of(meter) == Lane::FIRST {
            meter = acme.register(1_000 + meter.0 as u64).await;
        }
        let eui = 999 + meter.0 as u64;
        let to_nobody = Addressee::Unregistered(Eui::from_bits(2));
        let numbered = |sequence: u64, to| (sequence, record(&acme, to, sequence as i64));
        let records: Vec<Numbered> = (1..=6).flat_map(|turn| {
            [numbered(2 * turn - 1, Addressee::Device(meter)), numbered(2 * turn, to_nobody)]
        }).collect();
        let own = Lane::of(meter).number();
        // First the meter's lane alone, with all it has; then everything, in smaller batches.
        let lane = Lanes::numbered(own..own + 1);
        let of_lane = |(_, record): &&Numbered| record.lane().number() == own;
        let first: Vec<Numbered> = records.iter().filter(of_lane).cloned().collect();
        let mut steps = vec![(first, lane, 12)];
        for (from, through) in [(0, 4), (4, 10), (10, 12)] {
            steps.push((records[from..through].to_vec(), Lanes::ALL, through as u64));
        }
        for (records, lanes, through) in steps {
            let settled = world.past.system(Purpose::Settle, move |tx| {
                settle(tx, spool(1), &records, &lanes, through)
            });
            settled.await.unwrap();
        }
        let litres = vec![1, 3, 5, 7, 9, 11];
        assert_eq!(acme.seen(eui).await, Seen { litres, messages: 6 });
        assert_eq!(acme.sighted().await, [(2, 6)]);
        assert_eq!(acme.quota().await.used, 6);
    }

    async fn a_commit_whose_answer_is_lost_is_not_settled_again(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        let calls = world.gate.calls(Door::Settle);
        world.gate.set(Door::Settle, Way::Lost);
        process.uplink(&acme, 1, 1).await.unwrap();
        // Twice: the second call is made when the answer to the first was lost.
        world.gate.called_beyond(Door::Settle, calls + 1).await;
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1], messages: 1 });
        assert_eq!(acme.quota().await.used, 1);
    }

    async fn a_crash_between_the_lots_of_a_batch_loses_and_repeats_nothing(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        // So many that they are in two lanes.
        for number in 1..=70 {
            acme.register(number).await;
        }
        let devices: Vec<u64> = (60..=67).collect();
        for (number, way) in [(1, Way::Unanswered), (2, Way::Lost)] {
            let options = Options { transaction: 4, ..patient() };
            let process = Process::start(&world.db, &world.root(), number, options);
            process.settled().await;
            let calls = world.gate.calls(Door::Settle);
            world.gate.set(Door::Settle, way);
            for second in [2 * number as i64 - 1, 2 * number as i64] {
                for &device in &devices {
                    process.uplink(&acme, device, second).await.unwrap();
                }
            }
            world.gate.called_beyond(Door::Settle, calls).await;
            soon(process.crash()).await;
            world.gate.set(Door::Settle, Way::Open);
        }
        let last = world.process(9);
        last.settled().await;
        for device in devices {
            let seen = Seen { litres: vec![1, 2, 3, 4], messages: 4 };
            assert_eq!(acme.seen(device).await, seen, "device {device}");
        }
        assert_eq!(acme.quota().await.used, 32);
    }

    async fn a_crash_while_a_batch_is_being_settled_loses_and_repeats_nothing(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        for (number, way) in [(1, Way::Unanswered), (2, Way::Away), (3, Way::Lost)] {
            let process = world.process(number);
            process.settled().await;
            let calls = world.gate.calls(Door::Settle);
            world.gate.set(Door::Settle, way);
            process.uplink(&acme, 1, number as i64).await.unwrap();
            world.gate.called_beyond(Door::Settle, calls).await;
            soon(process.crash()).await;
            world.gate.set(Door::Settle, Way::Open);
        }
        let last = world.process(9);
        last.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 2, 3], messages: 3 });
        assert_eq!(acme.quota().await.used, 3);
    }
}

fn record(tenant: &Tenant, to: Addressee, second: i64) -> Record {
    Record {
        reseller: tenant.id(),
        to,
        month: Month::of(at(0)),
        received_at: at(second),
        device_name: None,
        position: Default::default(),
        readings: vec![weir_domain::Reading {
            time: at(second),
            volume: weir_domain::Volume::from_millilitres(second * 1000),
            battery: None,
        }],
    }
}

/// The files of a spool under a root of their own, as a crash would leave them now.
fn copy_of(spool: &Path) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(spool.file_name().unwrap());
    fs::create_dir(&directory).unwrap();
    let mut segments = 0;
    for entry in fs::read_dir(spool).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "seg") {
            fs::copy(&path, directory.join(path.file_name().unwrap())).unwrap();
            segments += 1;
        }
    }
    assert!(segments > 0);
    root
}
