//! The monthly quota is exact.

use futures_util::future::join_all;
use weir_domain::{Month, Timestamp};
use weir_ingest::spool;
use weir_ingest::{Accepted, NotTaken, Options};

use crate::support::{Door, Process, Tenant, Way, at, hangs, on_both_stores, patient, soon};

/// How many of these were taken; the others found the quota used up.
pub fn taken(answers: &[Result<Accepted, NotTaken>]) -> usize {
    for refused in answers.iter().filter_map(|answer| answer.as_ref().err()) {
        assert!(matches!(refused, NotTaken::QuotaUsedUp(_)), "{refused:?}");
    }
    answers.iter().filter(|answer| answer.is_ok()).count()
}

/// Sends so many uplinks at once, from that second on.
pub async fn burst(
    process: &Process,
    tenant: &Tenant,
    from: i64,
    count: i64,
) -> Vec<Result<Accepted, NotTaken>> {
    soon(join_all((from..from + count).map(|second| process.uplink(tenant, 1, second)))).await
}

on_both_stores! {
    async fn it_is_exact_under_concurrency(world) {
        let acme = Tenant::create(&world, "Acme", 20).await;
        acme.register(1).await;
        let process = world.process(1);
        assert_eq!(taken(&burst(&process, &acme, 1, 60).await), 20);
        process.settled().await;
        assert_eq!(acme.quota().await.used, 20);
        assert_eq!(acme.seen(1).await.messages, 20);
    }

    async fn it_is_exact_across_restarts_with_unsettled_records(world) {
        let acme = Tenant::create(&world, "Acme", 20).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        assert_eq!(taken(&burst(&process, &acme, 1, 13).await), 13);
        process.crash().await;
        world.gate.set(Door::Settle, Way::Open);
        let next = world.process(2);
        assert_eq!(taken(&burst(&next, &acme, 101, 40).await), 7);
        next.settled().await;
        assert_eq!(acme.quota().await.used, 20);
        assert_eq!(acme.seen(1).await.messages, 20);
    }

    async fn a_lease_of_a_dead_process_counts_until_its_records_are_settled(world) {
        let acme = Tenant::create(&world, "Acme", 20).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Settle, Way::Away);
        assert_eq!(taken(&burst(&process, &acme, 1, 13).await), 13);
        process.crash().await;
        let elsewhere = world.another_machine().await.process(2);
        let there = taken(&burst(&elsewhere, &acme, 101, 40).await);
        assert!(there <= 7, "{there}");
        world.gate.set(Door::Settle, Way::Open);
        let next = world.process(3);
        next.settled().await;
        elsewhere.stop().await;
        assert_eq!(taken(&burst(&next, &acme, 201, 40).await), 7 - there);
    }

    async fn two_nodes_together_use_it_up_and_never_pass_it(world) {
        let acme = Tenant::create(&world, "Acme", 30).await;
        acme.register(1).await;
        let elsewhere = world.another_machine().await;
        let (here, there) = (world.process(1), elsewhere.process(2));
        let (at_one, at_other) =
            tokio::join!(burst(&here, &acme, 1, 60), burst(&there, &acme, 101, 60));
        assert_eq!(taken(&at_one) + taken(&at_other), 30);
        here.settled().await;
        there.settled().await;
        assert_eq!(acme.quota().await.used, 30);
    }

    async fn what_the_spool_has_no_room_for_is_not_counted(world) {
        let acme = Tenant::create(&world, "Acme", 8).await;
        acme.register(1).await;
        let small = spool::Options { max_pending: 2, ..patient().spool };
        let process = world.process_with(1, Options { spool: small, ..patient() });
        process.settled().await;
        world.gate.set(Door::Settle, Way::Held);
        assert_eq!(taken(&burst(&process, &acme, 1, 2).await), 2);
        for refused in burst(&process, &acme, 11, 20).await {
            assert!(matches!(refused, Err(NotTaken::Crowded)), "{refused:?}");
        }
        world.gate.set(Door::Settle, Way::Open);
        for second in 41..=46 {
            process.settled().await;
            process.uplink(&acme, 1, second).await.unwrap();
        }
        assert_eq!(taken(&burst(&process, &acme, 51, 5).await), 0);
        process.settled().await;
        assert_eq!(acme.quota().await.used, 8);
    }

    async fn what_is_refused_for_what_it_says_is_not_counted(world) {
        let acme = Tenant::create(&world, "Acme", 2).await;
        acme.register(1).await;
        let process = world.process(1);
        for _ in 0..5 {
            process.uplink(&acme, 2, 1).await.unwrap_err();
            process.send(&acme, at(0), serde_json::json!({})).await.unwrap_err();
        }
        assert_eq!(taken(&burst(&process, &acme, 1, 5).await), 2);
        let refused = process.uplink(&acme, 2, 9).await.unwrap_err();
        assert!(matches!(refused, NotTaken::QuotaUsedUp(_)), "past it, every request: {refused:?}");
    }

    async fn a_sender_who_hangs_up_while_the_spool_writes_never_makes_it_more(world) {
        let acme = Tenant::create(&world, "Acme", 16).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        for second in 101..=140 {
            let _ = hangs(process.uplink(&acme, 1, second)).await;
        }
        burst(&process, &acme, 201, 40).await;
        process.settled().await;
        assert_eq!(acme.quota().await.used, 16);
        assert_eq!(acme.seen(1).await.messages, 16);
    }

    async fn a_sender_who_hangs_up_while_a_lease_is_asked_for_loses_nothing_of_it(world) {
        let acme = Tenant::create(&world, "Acme", 16).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        for second in 1..=20 {
            let calls = world.gate.calls(Door::Write);
            world.gate.set(Door::Write, Way::Held);
            if hangs(process.uplink(&acme, 1, second)).await {
                world.gate.called_beyond(Door::Write, calls).await;
            }
            world.gate.set(Door::Write, Way::Open);
            acme.set_quota(16).await;
        }
        let more = taken(&burst(&process, &acme, 101, 40).await) as i64;
        process.settled().await;
        let quota = acme.quota().await;
        assert_eq!((quota.used, quota.leased), (16, 0), "{more} at last");
    }

    async fn leases_are_given_back_on_stop(world) {
        let acme = Tenant::create(&world, "Acme", 800).await;
        acme.register(1).await;
        let process = world.process(1);
        process.uplink(&acme, 1, 1).await.unwrap();
        assert!(acme.quota().await.leased > 1);
        process.stop().await;
        let quota = acme.quota().await;
        assert_eq!((quota.used, quota.leased), (1, 0));
        assert_eq!(acme.lease_holders().await, 0);
    }

    async fn a_limit_that_changes_counts_at_once(world) {
        let acme = Tenant::create(&world, "Acme", 80).await;
        acme.register(1).await;
        let process = world.process(1);
        assert_eq!(taken(&burst(&process, &acme, 1, 4).await), 4);
        process.settled().await;
        acme.set_quota(5).await;
        assert_eq!(taken(&burst(&process, &acme, 101, 10).await), 1, "lowered");
        acme.set_quota(7).await;
        assert_eq!(taken(&burst(&process, &acme, 201, 10).await), 2, "raised when it was used up");
        acme.set_quota(3).await;
        assert_eq!(taken(&burst(&process, &acme, 301, 10).await), 0, "lowered below what is used");
        process.settled().await;
        assert_eq!(acme.quota().await.used, 7);
    }

    async fn a_limit_that_changes_while_a_lease_is_given_counts_at_once(world) {
        let acme = Tenant::create(&world, "Acme", 80).await;
        acme.register(1).await;
        let process = world.process(1);
        process.settled().await;
        world.gate.set(Door::Write, Way::Unanswered);
        let first = async { process.uplink(&acme, 1, 1).await };
        let change = async {
            soon(async { while acme.quota().await.leased == 0 {} }).await;
            acme.set_quota(0).await;
            world.gate.set(Door::Write, Way::Open);
        };
        let (first, ()) = tokio::join!(first, change);
        assert_eq!(taken(&[first]), 0);
    }

    async fn a_new_month_begins_anew(world) {
        let acme = Tenant::create(&world, "Acme", 16).await;
        acme.register(1).await;
        let process = world.process(1);
        assert_eq!(taken(&burst(&process, &acme, 1, 20).await), 16);
        assert_eq!(taken(&burst(&process, &acme, NEXT_MONTH, 20).await), 16);
        process.settled().await;
        let next = Month::of(at(NEXT_MONTH));
        assert_eq!((acme.quota().await.used, acme.quota_of(next).await.used), (16, 16));
    }

    async fn around_midnight_neither_month_loses_anything(world) {
        let acme = Tenant::create(&world, "Acme", 16).await;
        acme.register(1).await;
        let process = world.process(1);
        let midnight = Month::of(at(0)).end();
        let seconds = (midnight.micros() - at(0).micros()) / 1_000_000;
        let before = |n: i64| process.uplink(&acme, 1, seconds - 100 + n);
        let after = |n: i64| process.uplink(&acme, 1, seconds + n);
        let (mut last, mut first) = (Vec::new(), Vec::new());
        for n in 0..20 {
            last.push(before(n).await);
            first.push(after(n).await);
        }
        assert_eq!((taken(&last), taken(&first)), (16, 16));
        process.settled().await;
        let next = Month::of(Timestamp::from_micros(midnight.micros()));
        assert_eq!((acme.quota().await.used, acme.quota_of(next).await.used), (16, 16));
    }
}

/// Well within the next month.
const NEXT_MONTH: i64 = 30 * 24 * 60 * 60;
