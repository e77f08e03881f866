//! One reseller floods the spool while the store is away: that one is refused, and nobody else.

use tokio::task::block_in_place;
use weir_testkit::app::chirpstack;
use weir_testkit::faults::{tell, times};
use weir_testkit::postgres::{Cluster, Stop};

use crate::client::INGEST;
use crate::fleet::{Fleet, TENANT};
use crate::home::Home;
use crate::patience::until;

const OTHER_METER: &str = "0004a30b0badcafe";

/// Beyond what the spool's records take, while they wait for a store that is away: nothing to speak of.
const MOST_GROWTH_KILOBYTES: u64 = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_floods_is_refused_first_and_memory_stays_bounded() {
    let cluster = Cluster::start();
    let room = times(900, 90_000);
    let home = Home::in_cluster(&cluster).with("WEIR_SPOOL_MAX_PENDING", room.to_string());
    let flooder = home.reseller(TENANT, &["--quota", "10000000"]).await;
    let other = home.reseller("Riverside", &[]).await;
    let server = home.serve().await;
    let (mut flooder, mut other) = (server.client(&flooder), server.client(&other));
    let fleet = Fleet::register(&mut flooder, 1, 0).await;
    other.register(OTHER_METER).await;
    let of_other = |second: u64| {
        let time = format!("2026-01-01T00:{:02}:{:02}Z", second / 60, second % 60);
        chirpstack("Riverside", OTHER_METER, &time, second as f64)
    };
    flooder.post(INGEST, &fleet.of_meter(0, 0)).await.data();
    other.post(INGEST, &of_other(0)).await.data();
    until(async || flooder.get("/health").await.data(), |it| it["spool"]["depth"] == 0).await;
    block_in_place(|| cluster.stop(Stop::Fast));
    let before = server.memory_kilobytes();

    let mut taken = 0;
    let refused = loop {
        let answer = flooder.post(INGEST, &fleet.of_meter(0, taken + 1)).await;
        if answer.status != 200 {
            break answer;
        }
        taken += 1;
    };
    refused.assert_error(503, "SERVICE_UNAVAILABLE");
    assert!(refused.number("retry-after") > 0);
    assert_eq!(taken, room * 8 / 9, "eight times what is free");
    for second in 1..=50 {
        other.post(INGEST, &of_other(second)).await.data();
        flooder
            .post(INGEST, &fleet.of_meter(0, taken + 1))
            .await
            .assert_error(503, "SERVICE_UNAVAILABLE");
    }
    let grown = server.memory_kilobytes().saturating_sub(before);
    assert!(grown < MOST_GROWTH_KILOBYTES, "{grown} KB more for {taken} records");

    block_in_place(|| cluster.start_again());
    until(
        async || flooder.post(INGEST, &fleet.of_meter(0, taken + 1)).await,
        |it| it.status == 200,
    )
    .await;
    until(async || flooder.get("/health").await.data(), |it| it["spool"]["depth"] == 0).await;
    for (client, meter, messages) in
        [(&mut flooder, fleet.meters[0].as_str(), taken + 2), (&mut other, OTHER_METER, 51)]
    {
        let device =
            until(async || client.get("/api/v1/devices").await, |answer| answer.status == 200);
        let device = device.await.0.list().remove(0);
        assert_eq!(
            (&device["dev_eui"], &device["message_count"]),
            (&meter.into(), &messages.into())
        );
    }
    tell(&format!(
        "a flood of {taken} while the store was away: the others refused 0 times, {grown} KB more memory"
    ));
}
