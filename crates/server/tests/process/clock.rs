//! A wall clock that is set by an hour while uplinks come: it decides what they are stamped with, and
//! nothing else.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use weir_app::{Clock, SystemClock};
use weir_domain::{Month, Timestamp};
use weir_testkit::app::chirpstack;
use weir_testkit::faults::{Chance, grouped, tell, times};
use weir_testkit::shifted_clock::ShiftedClock;

use crate::client::{Answer, Client, INGEST};
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::patience::soon;
use crate::server::Server;
use crate::traffic::Traffic;

const HOUR: i64 = 3_600;

/// How many hours ahead the clock is ever set.
const FURTHEST: i64 = 2;

/// How long network servers wait for an answer.
const NETWORK_SERVERS_WAIT: Duration = Duration::from_secs(5);

/// A service whose clock stands at half an hour before the end of a month, or hours from there.
struct Setting {
    home: Home,
    clock: ShiftedClock,
    /// How far the machine's clock is from there.
    base: i64,
}

impl Setting {
    fn on(store: Store) -> Self {
        let clock = ShiftedClock::new();
        let now = SystemClock.now();
        let base = Month::of(now).end().epoch_seconds() - HOUR / 2 - now.epoch_seconds();
        clock.shift(base);
        let variables = clock.variables();
        let home = variables
            .into_iter()
            .fold(Home::on(store), |home, (name, value)| home.with(name, value));
        Self { home, clock, base }
    }

    fn set(&self, hours: i64) {
        self.clock.shift(self.base + hours * HOUR);
    }

    fn now(&self, hours: i64) -> Timestamp {
        let (now, shift) = (SystemClock.now(), self.base + hours * HOUR);
        Timestamp::from_micros(now.micros() + shift * 1_000_000)
    }

    /// Every meter is seen to be heard, by no later clock than there ever was.
    async fn assert_is_seen(&self, client: &mut Client, fleet: &Fleet) {
        let devices = client.get("/api/v1/devices").await.list();
        let latest = self.now(FURTHEST);
        assert_eq!(devices.len(), fleet.meters.len());
        for device in devices {
            assert_eq!(device["status"], "online", "{device}");
            let [first, last, read] = ["first_seen_at", "last_seen_at", "last_reading_at"]
                .map(|field| time(&device[field]));
            assert!(first <= last && last <= latest && read <= latest, "{device}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_costs_nothing_on_sqlite() {
    jump(Store::Sqlite, Chance::usually(0xc10c)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_costs_nothing_on_postgres() {
    jump(Store::Postgres, Chance::usually(0xb10c)).await;
}

async fn jump(store: Store, mut chance: Chance) {
    let (jumps, seed) = (times(6, 100), chance.seed());
    tell(&format!("{jumps} jumps of the clock on {store:?}: seed {seed}"));
    let setting = Setting::on(store);
    let key = setting.home.reseller(TENANT, &[]).await;
    let mut server = setting.home.serve().await;
    let mut client = server.client(&key);
    let fleet = Arc::new(Fleet::register(&mut client, 4, 2).await);
    let traffic = Traffic::prepare(&fleet, &key, 8);
    traffic.post_to(&[server.address]);
    traffic.more(100).await;
    let mut hours = 0;
    for number in 0..jumps {
        // To and fro over the end of the month, and twice in a row in the same direction.
        hours = match hours {
            -1 => 0,
            FURTHEST => FURTHEST - 1,
            _ => hours + if chance.below(2) == 0 { 1 } else { -1 },
        };
        setting.set(hours);
        traffic.more(60).await;
        setting.assert_is_seen(&mut client, &fleet).await;
        traffic.more(60).await;
        if number % 4 == 3 {
            server.kill().await;
            server = setting.home.serve().await;
            traffic.post_to(&[server.address]);
            client = server.settled(&key).await;
        }
    }
    let book = traffic.stop().await;
    assert!(book.slowest < NETWORK_SERVERS_WAIT, "an answer took {:?}", book.slowest);
    let found = book.check(&fleet, &mut client).await;
    server.stop(Signal::TERM).await;

    let server = setting.home.serve().await;
    let mut client = server.client(&key);
    let mut counted = 0;
    for hours in [0, 1] {
        setting.set(hours);
        let (limit, remaining, reset) = ask_quota(&mut client, &fleet).await;
        let answered = book.months.get(&reset).copied().unwrap_or(0);
        let used = (limit - remaining).unsigned_abs() - 1;
        let most = answered + book.lost() as u64;
        assert!((answered..=most).contains(&used), "{used} counted of {answered} until {reset}");
        counted += used;
    }
    assert_eq!(counted, found.messages, "of both months");
    let counted = grouped(counted);
    tell(&format!(
        "{jumps} jumps of the clock on {store:?}: {found}; {counted} counted in two months"
    ));
}

/// Asks what is left, which takes one more message.
async fn ask_quota(client: &mut Client, fleet: &Fleet) -> (i64, i64, i64) {
    let answer = client.post(INGEST, &fleet.of_meter(0, 0)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let number = |name| answer.number(name);
    (number("x-ratelimit-limit"), number("x-ratelimit-remaining"), number("x-ratelimit-reset"))
}

fn time(value: &Value) -> Timestamp {
    Timestamp::parse(value.as_str().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_time_is_impossible_goes_by_the_clock_as_it_is_set() {
    let setting = Setting::on(Store::Sqlite);
    let key = setting.home.reseller(TENANT, &[]).await;
    let server = setting.home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    let eui = &fleet.meters[0];
    let (minute, day) = (Duration::from_secs(60), Duration::from_secs(24 * 3_600));
    let ahead = setting.now(0).plus(day).plus(minute * 10).to_string();
    // The same reading, of a day and ten minutes from now, as the clock is set to and fro.
    for (hours, is_replaced) in [(0, true), (1, false), (0, true), (-1, true), (FURTHEST, false)] {
        setting.set(hours);
        let now = setting.now(hours);
        let taken = client.post(INGEST, &chirpstack(TENANT, eui, &ahead, 1.0)).await.data();
        assert_eq!(taken["time_replaced"] == true, is_replaced, "{hours}: {taken}");
        let read = time(&taken["timestamp"]);
        assert_eq!(read == Timestamp::parse(&ahead).unwrap(), !is_replaced);
        assert!(!is_replaced || (now.minus(minute)..now.plus(minute)).contains(&read), "{taken}");
        setting.assert_is_seen(&mut client, &fleet).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlines_do_not_go_by_the_clock_that_is_set() {
    let setting = Setting::on(Store::Sqlite);
    let key = setting.home.reseller(TENANT, &[]).await;
    let server = setting.home.serve().await;
    let mut kept = server.client(&key);
    let fleet = Fleet::register(&mut kept, 1, 0).await;
    for (number, hours) in [1, 0, -1, FURTHEST].into_iter().enumerate() {
        let uplink = fleet.of_meter(0, number as u64).to_string();
        let mut begun = server.begin(&key, uplink.len()).await;
        setting.set(hours);
        begun.write_all(uplink.as_bytes()).await.unwrap();
        let answer = soon(Answer::read(&mut begun)).await.unwrap();
        assert_eq!(answer.status, 200, "a request under way was given up: {answer:?}");
        // On a connection that was idle when the clock was set, and waiting for what is not settled.
        assert_eq!(fleet.history(&mut kept, 0).await.len(), number + 1);
    }
    assert_is_at_rest(&server).await;
}

/// A service that nobody asks anything has next to nothing to do.
async fn assert_is_at_rest(server: &Server) {
    let (before, watched) = (server.computing_time(), Duration::from_secs(1));
    tokio::time::sleep(watched).await;
    let spent = server.computing_time() - before;
    assert!(spent < watched / 4, "it spent {spent:?} of a second with nothing to do");
}
