//! What is remembered of EUIs that nobody registered has an end.

use weir_domain::{Eui, Month, Reading, Volume};
use weir_ingest::record::{Addressee, Record};
use weir_ingest::settle::{MAX_SIGHTINGS, Numbered, settle};
use weir_store::{Lanes, Purpose};

use crate::support::{Store, Tenant, World, at, spool};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_euis_that_were_seen_longest_ago_make_way() {
    let world = World::new(Store::Sqlite).await;
    let acme = Tenant::create(&world, "Acme", 1000).await;
    let of = |eui: u64| Record {
        reseller: acme.id(),
        to: Addressee::Unregistered(Eui::from_bits(eui)),
        month: Month::of(at(0)),
        received_at: at(eui as i64),
        device_name: None,
        position: Default::default(),
        readings: vec![Reading { time: at(0), volume: Volume::default(), battery: None }],
    };
    let records: Vec<Numbered> = (1..=MAX_SIGHTINGS + 1).map(|eui| (eui, of(eui))).collect();
    let settled = world.past.system(Purpose::Settle, move |tx| {
        settle(tx, spool(1), &records, &Lanes::ALL, MAX_SIGHTINGS + 1)
    });
    settled.await.unwrap();
    let sighted = acme.sighted().await;
    assert_eq!(sighted.len() as u64, MAX_SIGHTINGS);
    assert_eq!(sighted[0], (2, 1), "the first one made way");
}
