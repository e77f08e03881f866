//! A spool that is full refuses, and goes on when there is room.

use weir_ingest::spool::{self, SpoolError};
use weir_ingest::{NotTaken, Options};

use crate::support::{Door, Seen, Tenant, Way, on_both_stores, patient};

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
            assert!(
                matches!(refused, NotTaken::Spool(SpoolError::Full { limit: 3 })),
                "{refused:?}"
            );
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
}
