//! Records that can never be settled stop nobody.

use std::path::Path;

use weir_domain::{DeviceKey, Month, Reading, Volume};
use weir_ingest::record::{Addressee, Record};
use weir_ingest::spool::{Spool, set_aside};

use crate::support::{Door, Seen, Tenant, Way, at, on_both_stores, patient, spool};

on_both_stores! {
    async fn bad_records_are_set_aside_and_the_rest_of_their_batch_is_settled(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let globex = Tenant::create(&world, "Globex", 1000).await;
        let (first, second) = (acme.register(1).await, globex.register(2).await);
        let nobody = DeviceKey(first.0 + second.0 + 1000);
        let records = [
            record(&acme, first, 1),
            b"no record at all".to_vec(),
            record(&globex, second, 2),
            record(&acme, second, 3),
            record(&acme, nobody, 4),
            record(&globex, nobody, 5),
            record(&acme, first, 6),
            Vec::new(),
            record(&globex, second, 7),
        ];
        leave(&world.root(), 1, &records).await;
        let process = world.process(2);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 6], messages: 2 });
        assert_eq!(globex.seen(2).await, Seen { litres: vec![2, 7], messages: 2 });
        assert_eq!((acme.quota().await.used, globex.quota().await.used), (2, 2));
        let aside = set_aside::read(&world.root()).unwrap();
        let mut sequences: Vec<_> = aside.iter().map(|record| record.sequence).collect();
        sequences.sort_unstable();
        assert_eq!(sequences, [2, 4, 5, 6, 8]);
        for record in &aside {
            assert_eq!(record.payload, records[record.sequence as usize - 1]);
            assert!(!record.reason.is_empty());
        }
        let health = process.health();
        assert_eq!((health.set_aside, health.figures.set_aside), (5, 5));
        assert_eq!((health.figures.settled, health.depth), (4, 0));
    }

    async fn a_batch_of_nothing_but_bad_records_is_passed(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let meter = acme.register(1).await;
        let nobody = DeviceKey(meter.0 + 1000);
        let records: Vec<_> = (1..=40).map(|second| record(&acme, nobody, second)).collect();
        leave(&world.root(), 1, &records).await;
        let process = world.process(2);
        process.uplink(&acme, 1, 99).await.unwrap();
        process.settled().await;
        assert_eq!(process.health().set_aside, 40);
        assert_eq!(acme.seen(1).await, Seen { litres: vec![99], messages: 1 });
        assert_eq!(acme.quota().await.used, 1);
        assert!(!world.root().join(spool(1).to_string()).exists());
    }

    async fn a_living_spool_goes_on_behind_its_bad_records(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let globex = Tenant::create(&world, "Globex", 1000).await;
        acme.register(1).await;
        globex.register(2).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        for second in 1..=5 {
            process.uplink(&acme, 1, second).await.unwrap();
            process.uplink(&globex, 2, second).await.unwrap();
        }
        // Not as an operator does it, who would have to wait.
        let gone = world.past.write(globex.scope(), |tx| tx.reseller_delete());
        gone.await.unwrap();
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: (1..=5).collect(), messages: 5 });
        assert_eq!(process.health().set_aside, 5);
        process.uplink(&acme, 1, 6).await.unwrap();
        process.settled().await;
        assert_eq!(acme.seen(1).await.messages, 6);
    }

    async fn what_was_set_aside_before_a_crash_counts_once_and_stays_counted(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let meter = acme.register(1).await;
        let bad = record(&acme, DeviceKey(meter.0 + 1000), 1);
        leave(&world.root(), 1, std::slice::from_ref(&bad)).await;
        set_aside::set_aside(&world.root(), spool(1), 1, &bad, "as the one that died did").unwrap();
        let process = world.process(2);
        assert_eq!(process.health().set_aside, 1, "from before");
        process.settled().await;
        assert_eq!(process.health().set_aside, 1);
        set_aside::set_aside(&world.root(), spool(7), 1, &bad, "as another one does").unwrap();
        assert_eq!(process.health().set_aside, 2);
        process.stop().await;
        let next = world.process(3);
        let health = next.health();
        assert_eq!((health.set_aside, health.figures.set_aside), (2, 0));
    }
}

/// A record of one reading that counts.
fn record(tenant: &Tenant, device: DeviceKey, second: i64) -> Vec<u8> {
    let volume = Volume::from_millilitres(second * 1000);
    let record = Record {
        reseller: tenant.id(),
        to: Addressee::Device(device),
        month: Month::of(at(0)),
        received_at: at(second),
        device_name: None,
        position: Default::default(),
        readings: vec![Reading { time: at(second), volume, battery: None }],
    };
    record.encode().unwrap().into_vec()
}

/// Leaves a spool with these records, as a process that died does.
async fn leave(root: &Path, number: u128, records: &[Vec<u8>]) {
    let left = Spool::create(root, spool(number), patient().spool).unwrap();
    for record in records {
        left.append(record.clone()).await.unwrap();
    }
}
