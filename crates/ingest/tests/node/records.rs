//! What one message becomes.

use serde_json::json;
use weir_ingest::NotTaken;

use crate::support::{Door, Seen, Tenant, Way, at, on_both_stores};

on_both_stores! {
    async fn a_message_of_several_readings_is_one_record_and_counts_once(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        acme.register(1).await;
        let process = world.process(1);
        let normalized = |second: i64| {
            json!({ "time": at(second).to_string(), "metering": { "water": { "total": second } } })
        };
        let message = json!({
            "end_device_ids": {
                "device_id": "a meter",
                "application_ids": { "application_id": acme.name() },
                "dev_eui": "0000000000000001",
            },
            "received_at": at(9).to_string(),
            "uplink_message": { "normalized_payload": [normalized(3), normalized(1), normalized(2)] },
        });
        let accepted = process.send(&acme, at(9), message.clone()).await.unwrap();
        assert_eq!((accepted.readings, accepted.reading.time), (3, at(3)));
        assert!(!accepted.duplicate);
        assert!(process.send(&acme, at(10), message).await.unwrap().duplicate);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 2, 3], messages: 2 });
        assert_eq!(acme.quota().await.used, 2);
        assert_eq!(process.health().figures.settled, 2);
    }

    async fn an_eui_that_is_registered_before_it_is_settled_gets_its_readings(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        let refused = process.uplink(&acme, 1, 1).await.unwrap_err();
        assert!(matches!(refused, NotTaken::UnknownDevice(_)), "{refused}");
        let elsewhere = world.another_machine().await;
        acme.register_through(&elsewhere.db, 1).await;
        assert!(!process.uplink(&acme, 1, 2).await.unwrap().duplicate);
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(acme.seen(1).await, Seen { litres: vec![1, 2], messages: 2 });
        assert_eq!(acme.sighted().await, []);
        assert_eq!(acme.quota().await.used, 1, "the one that was answered 404 does not count");
    }

    async fn an_eui_that_another_reseller_registers_stays_unregistered(world) {
        let acme = Tenant::create(&world, "Acme", 1000).await;
        let globex = Tenant::create(&world, "Globex", 1000).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        process.uplink(&acme, 1, 1).await.unwrap_err();
        globex.register(1).await;
        world.gate.set(Door::Settle, Way::Open);
        process.settled().await;
        assert_eq!(globex.seen(1).await, Seen { litres: vec![], messages: 0 });
        assert_eq!(acme.sighted().await, [(1, 1)]);
        assert_eq!(process.health().set_aside, 0);
    }
}
