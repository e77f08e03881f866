//! Damage to what waits in the spool: what it hits is lost and reported, and everything else is there.

use std::fs;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use tokio::task::block_in_place;
use weir_ingest::record::Record;
use weir_testkit::faults::{Chance, grouped, tell, times};
use weir_testkit::postgres::{Cluster, Stop};

use crate::book::{Book, From, Kind, Uplink};
use crate::client::{Client, INGEST};
use crate::fleet::{Fleet, TENANT};
use crate::home::Home;

const METERS: usize = 3;

/// How many uplinks wait in the spool when it is damaged, at most.
const MOST_WAITING: u64 = 60;

/// The bytes before the first record of a segment, and those before the payload of each.
const HEADER: usize = 48;
const OVERHEAD: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_costs_what_it_hits_and_is_reported() {
    let (trials, mut chance) = (times(4, 120), Chance::usually(0xda3a6e));
    let seed = chance.seed();
    tell(&format!("{trials} damaged spools: seed {seed}"));
    let cluster = Cluster::start();
    let home = Home::in_cluster(&cluster);
    let key = home.reseller(TENANT, &[]).await;
    let mut server = home.serve().await;
    let fleet = Fleet::register(&mut server.client(&key), METERS, 0).await;
    let (mut book, mut next, mut lost, mut reported) = (Book::of(&fleet), 1, 0, 0);
    for trial in 0..trials {
        let mut client = server.client(&key);
        // Those who were heard before are heard while the store is away; a read sees to it that these
        // are settled.
        next = post(&fleet, &mut client, &mut book, next, METERS as u64).await;
        fleet.history(&mut client, 0).await;
        block_in_place(|| cluster.stop(Stop::Immediate));
        let waiting = 1 + chance.below(MOST_WAITING);
        next = post(&fleet, &mut client, &mut book, next, waiting).await;
        server.kill().await;
        let [spool] = home.spools().try_into().unwrap();
        let wreck = Wreck::of(&spool);
        assert_eq!(wreck.frames.len() as u64, METERS as u64 + waiting);
        let cost = wreck.damage(trial, &mut chance);

        block_in_place(|| cluster.start_again());
        server = home.serve().await;
        let mut client = server.settled(&key).await;
        for record in &cost.lost {
            let number = fleet.number(record.readings[0].time);
            book.note_damage(meter_of(number), number);
        }
        book.check(&fleet, &mut client).await;
        let health = server.anybody().get("/health").await.data()["spool"].clone();
        let [damaged, missing] =
            ["damaged", "missing"].map(|figure| health[figure].as_u64().unwrap());
        let is_told = cost.damaged.contains(&damaged) && missing == cost.missing;
        assert!(is_told, "seed {seed}, trial {trial}, {}: {health}", cost.what);
        let is_logged = server.log().contains("the spool is damaged");
        assert_eq!(is_logged, damaged + missing > 0, "{}", server.log());
        assert_eq!(home.spools().len(), 1, "the damaged spool is left behind");
        lost += cost.lost.len() as u64;
        reported += missing;
    }
    let mut client = server.client(&key);
    let found = book.check(&fleet, &mut client).await;
    book.check_quota(&fleet, &mut client, &found).await;
    let (lost, rest) = (grouped(lost), grouped(found.acknowledged as u64));
    tell(&format!(
        "{trials} damaged spools: {lost} records hit, {reported} of them counted as missing, \
         all {rest} others there once, nothing else"
    ));
}

fn meter_of(number: u64) -> usize {
    number as usize % METERS
}

/// Posts so many readings from this number on, which are all taken; the next number.
async fn post(fleet: &Fleet, client: &mut Client, book: &mut Book, first: u64, count: u64) -> u64 {
    for number in first..first + count {
        let meter = meter_of(number);
        let answer = client.post(INGEST, &fleet.of_meter(meter, number)).await;
        let uplink = Uplink { from: From::Meter(meter), number, kind: Kind::Fresh };
        assert!(book.note(uplink, &answer), "{answer:?}");
    }
    first + count
}

/// The one segment of a spool whose process is dead, and where its records lie.
struct Wreck {
    path: PathBuf,
    bytes: Vec<u8>,
    frames: Vec<(Range<usize>, Record)>,
}

/// What damage costs, and what has to be said about it.
struct Cost {
    what: String,
    lost: Vec<Record>,
    damaged: RangeInclusive<u64>,
    missing: u64,
}

impl Wreck {
    fn of(spool: &Path) -> Self {
        let files = fs::read_dir(spool).unwrap().map(|entry| entry.unwrap().path());
        let is_segment = |path: &PathBuf| path.extension().is_some_and(|it| it == "seg");
        let [path] = files.filter(is_segment).collect::<Vec<_>>().try_into().unwrap();
        let bytes = fs::read(&path).unwrap();
        let (mut frames, mut start) = (Vec::new(), HEADER);
        while bytes[start] != 0 {
            let length = u32::from_le_bytes(bytes[start + 4..start + 8].try_into().unwrap());
            let end = start + OVERHEAD + length as usize;
            frames.push((start..end, Record::decode(&bytes[start + OVERHEAD..end]).unwrap()));
            start = end;
        }
        Self { path, bytes, frames }
    }

    /// Cuts the file or flips a bit in it, among the records that wait or anywhere before them.
    fn damage(&self, trial: u64, chance: &mut Chance) -> Cost {
        let end = self.frames.last().unwrap().0.end;
        let start = match chance.below(4) {
            0 => 0,
            _ => self.frames[METERS].0.start,
        };
        let at = start + chance.below((end - start) as u64) as usize;
        if trial.is_multiple_of(2) { self.cut(at) } else { self.flip(at, 1 << chance.below(8)) }
    }

    fn cut(&self, at: usize) -> Cost {
        fs::write(&self.path, &self.bytes[..at]).unwrap();
        let within = |(span, _): &&(Range<usize>, Record)| span.start < at && at < span.end;
        let leaves_a_stump =
            self.frames.iter().any(|frame| within(&frame)) || (1..HEADER).contains(&at);
        Cost {
            what: format!("cut at {at}"),
            lost: self.lost(|span| span.end > at),
            damaged: leaves_a_stump.into()..=leaves_a_stump.into(),
            // Nothing behind them says that there were any.
            missing: 0,
        }
    }

    fn flip(&self, at: usize, bit: u8) -> Cost {
        let mut bytes = self.bytes.clone();
        bytes[at] ^= bit;
        fs::write(&self.path, bytes).unwrap();
        let lost = self.lost(|span| span.contains(&at));
        let count = lost.len() as u64;
        let is_last = self.frames.last().unwrap().0.contains(&at);
        Cost {
            what: format!("bit {bit:#x} of byte {at} flipped"),
            lost,
            // Of what costs nothing, something may be said or not.
            damaged: count..=1,
            missing: if is_last { 0 } else { count },
        }
    }

    /// The waiting records that are hit.
    fn lost(&self, is_hit: impl Fn(&Range<usize>) -> bool) -> Vec<Record> {
        let waiting = self.frames[METERS..].iter();
        waiting.filter(|(span, _)| is_hit(span)).map(|(_, record)| record.clone()).collect()
    }
}
