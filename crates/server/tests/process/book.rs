//! What was sent and what was answered, and whether the service holds exactly that.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use serde_json::Value;
use weir_testkit::faults::grouped;

use crate::client::{Answer, Client, INGEST};
use crate::fleet::Fleet;

/// Who sends an uplink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    Meter(usize),
    /// An EUI that is not registered.
    Stranger(usize),
}

/// What the service may know of a reading when it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fresh,
    /// It was acknowledged before.
    Repeat,
    /// It was sent before, and nobody knows what became of it.
    Unsure,
}

#[derive(Debug, Clone, Copy)]
pub struct Uplink {
    pub from: From,
    pub number: u64,
    pub kind: Kind,
}

/// What is known about the uplinks of one EUI.
#[derive(Debug, Clone, Default)]
struct Account {
    /// The ids of acknowledged readings, by their numbers.
    acknowledged: HashMap<u64, String>,
    /// How many messages were answered.
    answered: u64,
    /// Readings whose sender never got an answer.
    lost: Vec<u64>,
}

/// The book of all senders.
#[derive(Debug, Default)]
pub struct Book {
    meters: Vec<Account>,
    strangers: Vec<Account>,
    /// Acknowledged readings in the order of their answers, to be repeated.
    order: Vec<(usize, u64)>,
    /// Whether 503 is an answer to be expected of anyone.
    pub expects_refusals: bool,
    /// How many were refused so.
    pub refused: u64,
    /// Why there was nobody to send to, each time that there was not.
    pub unheard: Vec<String>,
    /// Counted requests of each month, by the moment that the answers say it ends at.
    pub months: HashMap<i64, u64>,
    /// How long the slowest answer took.
    pub slowest: Duration,
    /// Answers that should not have been given.
    pub surprises: Vec<String>,
}

/// What a service was found to hold, once its every promise was held to it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub acknowledged: usize,
    /// Readings in the histories: those acknowledged, and some of which nobody knew.
    pub readings: usize,
    pub messages: u64,
    /// Uplinks of strangers that are remembered.
    pub remembered: u64,
}

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let acknowledged = grouped(self.acknowledged as u64 + self.remembered);
        write!(f, "{acknowledged} acknowledged, 0 lost, 0 twice")
    }
}

impl Book {
    pub fn of(fleet: &Fleet) -> Self {
        Self {
            meters: vec![Account::default(); fleet.meters.len()],
            strangers: vec![Account::default(); fleet.strangers.len()],
            ..Self::default()
        }
    }

    fn account(&mut self, from: From) -> &mut Account {
        match from {
            From::Meter(meter) => &mut self.meters[meter],
            From::Stranger(stranger) => &mut self.strangers[stranger],
        }
    }

    /// One of the acknowledged readings.
    pub fn any(&self, chance: u64) -> Option<(usize, u64)> {
        let index = (chance.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize;
        self.order.get(index % self.order.len().max(1)).copied()
    }

    /// How many uplinks went without an answer.
    pub fn lost(&self) -> usize {
        self.meters.iter().chain(&self.strangers).map(|account| account.lost.len()).sum()
    }

    /// An uplink that nobody answered.
    pub fn note_loss(&mut self, uplink: Uplink) {
        self.account(uplink.from).lost.push(uplink.number);
    }

    /// An uplink that was answered; whether it was acknowledged.
    pub fn note(&mut self, uplink: Uplink, answer: &Answer) -> bool {
        let acknowledged = match uplink.from {
            From::Meter(meter) => answer.status == 200 && self.note_reading(meter, uplink, answer),
            From::Stranger(_) => answer.body["error_code"] == "DEVICE_NOT_FOUND",
        };
        if acknowledged {
            self.account(uplink.from).answered += 1;
            if answer.status == 200 {
                *self.months.entry(answer.number("x-ratelimit-reset")).or_default() += 1;
            }
        } else if self.expects_refusals && answer.is_unavailable() {
            self.refused += 1;
        } else if answer.status != 503 || self.account(uplink.from).answered > 0 {
            // Who was not heard before cannot be decided without the store, and may be refused.
            self.surprises.push(format!("{uplink:?}: {} {}", answer.status, answer.body));
        }
        acknowledged
    }

    fn note_reading(&mut self, meter: usize, uplink: Uplink, answer: &Answer) -> bool {
        let data = &answer.body["data"];
        let id = data["id"].as_str().unwrap_or_default().to_owned();
        let is_flagged = data["duplicate"] == true;
        let known = self.meters[meter].acknowledged.insert(uplink.number, id.clone());
        if known.is_none() {
            self.order.push((meter, uplink.number));
        }
        known.is_none_or(|first| first == id) && !(uplink.kind == Kind::Fresh && is_flagged)
    }

    /// Sends acknowledged readings once more: each is known, and by the same id. Only a service that is
    /// still busy with what an earlier process left, or without its store, may miss that.
    pub async fn repeat(&mut self, fleet: &Fleet, client: &mut Client, count: u64) {
        for chance in 0..count {
            let (meter, number) = self.any(chance).unwrap();
            let answer = client.post(INGEST, &fleet.of_meter(meter, number)).await;
            assert_eq!(answer.body["data"]["duplicate"], true, "{answer:?}");
            let uplink = Uplink { from: From::Meter(meter), number, kind: Kind::Repeat };
            assert!(self.note(uplink, &answer), "{:?}", self.surprises);
        }
    }

    /// A reading that was acknowledged and that damage has taken since.
    pub fn note_damage(&mut self, meter: usize, number: u64) {
        let account = &mut self.meters[meter];
        assert!(account.acknowledged.remove(&number).is_some(), "it was never acknowledged");
        account.answered -= 1;
        self.order.retain(|other| *other != (meter, number));
    }

    /// Holds the service to what it answered: every acknowledged reading once, nothing that was not
    /// sent or that was refused, and as many messages as were answered. A request that was never
    /// answered may be kept or not; kept, it counts once everywhere.
    pub async fn check(&self, fleet: &Fleet, client: &mut Client) -> Found {
        assert_eq!(self.surprises, [""; 0]);
        let counts = counts(client, "/api/v1/devices?limit=1000").await;
        let mut found = Found::default();
        for (meter, account) in self.meters.iter().enumerate() {
            let history = fleet.history(client, meter).await;
            assert!(history.is_sorted_by(|a, b| a < b), "a reading is there twice: {history:?}");
            let held: HashSet<u64> = history.iter().copied().collect();
            let missing: Vec<_> =
                account.acknowledged.keys().filter(|number| !held.contains(number)).collect();
            assert!(missing.is_empty(), "acknowledged and lost: {missing:?}");
            let stray = |number: &&u64| {
                !account.acknowledged.contains_key(number) && !account.lost.contains(number)
            };
            assert_eq!(history.iter().find(stray), None, "a reading that was never sent");
            found.acknowledged += account.acknowledged.len();
            found.readings += history.len();
            let counted = counts[&fleet.meters[meter]];
            account.assert_count(counted, |number| held.contains(&number));
            found.messages += counted;
        }
        let counts = self::counts(client, "/api/v1/unregistered-devices?limit=1000").await;
        for (eui, account) in fleet.strangers.iter().zip(&self.strangers) {
            let counted = counts.get(eui).copied().unwrap_or(0);
            account.assert_range(counted, 0, account.lost.len());
            found.remembered += counted;
        }
        found
    }

    /// Holds the service to the quota: every message of a registered meter counted once. It takes one
    /// more message to be told what is left.
    pub async fn check_quota(&self, fleet: &Fleet, client: &mut Client, found: &Found) {
        let (meter, number) = self.any(0).unwrap();
        let answer = client.post(INGEST, &fleet.of_meter(meter, number)).await;
        let used = answer.number("x-ratelimit-limit") - answer.number("x-ratelimit-remaining");
        assert_eq!(used.unsigned_abs(), found.messages + 1, "{answer:?}");
    }
}

impl Account {
    /// Asserts that the service has counted right, as far as anybody can know: of those that were never
    /// answered, each whose reading is there was counted, and none whose reading is not.
    fn assert_count(&self, counted: u64, is_held: impl Fn(u64) -> bool) {
        let kept: Vec<u64> = self.lost.iter().copied().filter(|number| is_held(*number)).collect();
        let unknown = |number: &&u64| !self.acknowledged.contains_key(number);
        let kept_alone: HashSet<&u64> = kept.iter().filter(unknown).collect();
        self.assert_range(counted, kept_alone.len(), kept.len());
    }

    fn assert_range(&self, counted: u64, least: usize, most: usize) {
        let range = self.answered + least as u64..=self.answered + most as u64;
        assert!(range.contains(&counted), "{counted} counted, not {range:?}: {self:?}");
    }
}

/// Message counts by EUI.
async fn counts(client: &mut Client, path: &str) -> HashMap<String, u64> {
    let count = |device: &Value| {
        let eui = device["dev_eui"].as_str().unwrap().to_owned();
        (eui, device["message_count"].as_u64().unwrap())
    };
    client.get(path).await.list().iter().map(count).collect()
}
