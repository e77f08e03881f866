//! A spool that is full refuses, the one who fills it first, and goes on when there is room.

use weir_ingest::spool;
use weir_ingest::{NotTaken, Options};

use crate::support::{Door, Seen, Tenant, Way, hangs, on_both_stores, patient, soon};

on_both_stores! {
    async fn a_full_spool_refuses_until_the_settler_goes_on_and_loses_nothing(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let small = spool::Options { max_pending: 3, ..patient().spool };
        let process = world.process_with(1, Options { spool: small, ..patient() });
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        for second in 1..=3 {
            process.uplink(&acme, 1, second).await.unwrap();
        }
        for (eui, second) in [(1, 4), (1, 5), (2, 6)] {
            let refused = process.uplink(&acme, eui, second).await.unwrap_err();
            assert!(matches!(refused, NotTaken::Crowded), "{refused:?}");
        }
        let health = process.health();
        assert_eq!(health.depth, 3);
        assert!(health.trouble.is_some());
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(process.health().trouble, None);
        // What was refused is not known, and is taken like any other.
        assert!(!process.uplink(&acme, 1, 5).await.unwrap().duplicate);
        assert!(!process.uplink(&acme, 1, 4).await.unwrap().duplicate);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: (1..=5).collect(), messages: 5 });
        assert_eq!(acme.sighted().await, []);
        assert_eq!(acme.quota().await.used, 5);
    }

    async fn one_who_fills_the_spool_leaves_room_for_the_others(world) {
        let (flooder, other) =
            (Tenant::create(&world, "Acme", 1000).await, Tenant::create(&world, "Globex", 1000).await);
        flooder.register(1).await;
        other.register(2).await;
        let small = spool::Options { max_pending: 45, ..patient().spool };
        let process = world.process_with(1, Options { spool: small, ..patient() });
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        let mut taken = 0;
        while process.uplink(&flooder, 1, taken + 1).await.is_ok() {
            taken += 1;
        }
        // Eight times what is free.
        assert_eq!(taken, 40);
        for second in 1..=4 {
            process.uplink(&other, 2, second).await.unwrap();
        }
        let refused = process.uplink(&flooder, 1, taken + 1).await.unwrap_err();
        assert!(matches!(refused, NotTaken::Crowded), "{refused:?}");
        assert_eq!(flooder.quota().await.used, 0);
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        process.uplink(&flooder, 1, taken + 1).await.unwrap();
        process.settled().await;
        assert_eq!(flooder.seen(1).await.messages, 41);
        assert_eq!(other.seen(2).await, Seen { litres: (1..=4).collect(), messages: 4 });
        assert_eq!((flooder.quota().await.used, other.quota().await.used), (41, 4));
    }

    async fn one_who_keeps_the_disk_busy_leaves_places_in_front_of_it(world) {
        let (flooder, other) =
            (Tenant::create(&world, "Acme", 1000).await, Tenant::create(&world, "Globex", 1000).await);
        let short = spool::Options { queue: 8, ..patient().spool };
        let process = world.process_with(1, Options { spool: short, ..patient() });
        for tenant in [&flooder, &other] {
            process.uplink(tenant, 9, 1).await.unwrap_err();
        }
        // An uplink whose device is looked for has a place, and keeps it while the store says nothing.
        world.gate.set(Door::Read, Way::Held);
        let mut waiting: Vec<_> = (1..=4).map(|n| Box::pin(process.uplink(&flooder, n, 1))).collect();
        for uplink in &mut waiting {
            assert!(hangs(uplink).await);
        }
        let refused = process.uplink(&flooder, 5, 1).await.unwrap_err();
        assert!(matches!(refused, NotTaken::Crowded), "{refused:?}");
        assert!(hangs(process.uplink(&other, 6, 1)).await);
        world.gate.set(Door::Read, Way::Open);
        for uplink in waiting {
            let unknown = soon(uplink).await.unwrap_err();
            assert!(matches!(unknown, NotTaken::UnknownDevice(_)), "{unknown:?}");
        }
        let unknown = process.uplink(&flooder, 5, 1).await.unwrap_err();
        assert!(matches!(unknown, NotTaken::UnknownDevice(_)), "{unknown:?}");
    }
}
