//! What came back in one stretch of sending.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::connection::Answer;
use crate::uplink::Tenant;

/// What came back in one stretch of sending, or on one of its connections.
#[derive(Debug, Default)]
pub struct Tally {
    /// How long it took.
    pub elapsed: Duration,
    /// How much processor time the client itself took.
    pub client: Duration,
    /// How long each answer of the expected status took, in microseconds.
    pub latencies: Vec<u32>,
    /// The other answers.
    pub others: Others,
}

/// Answers that should have been others.
#[derive(Debug, Default)]
pub struct Others {
    /// How many there were of each status.
    pub by_status: BTreeMap<u16, u64>,
    /// What the first one said.
    pub first: Option<String>,
}

/// When a stretch began.
#[derive(Debug, Clone, Copy)]
pub struct Begun {
    /// By the clock.
    pub at: Instant,
    client: Duration,
}

impl Begun {
    /// Now.
    pub fn now() -> Self {
        Self { at: Instant::now(), client: processor_time() }
    }
}

impl Tally {
    /// Counts an answer to an uplink of this tenant.
    pub fn count(&mut self, tenant: Tenant, answer: &Answer<'_>, latency: Duration) {
        if answer.status == expected(tenant) {
            self.latencies.push(u32::try_from(latency.as_micros()).unwrap_or(u32::MAX));
        } else {
            *self.others.by_status.entry(answer.status).or_default() += 1;
            let said = || String::from_utf8_lossy(answer.body).into_owned();
            self.others.first.get_or_insert_with(said);
        }
    }

    /// Adds what came back on another connection.
    pub fn absorb(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.others.absorb(other.others);
    }

    /// The stretch is over.
    pub fn end(&mut self, begun: Begun) {
        self.elapsed = begun.at.elapsed();
        self.client = processor_time().saturating_sub(begun.client);
    }
}

/// The status that answers an uplink of this tenant.
const fn expected(tenant: Tenant) -> u16 {
    match tenant {
        Tenant::Right => 200,
        Tenant::Wrong => 403,
    }
}

impl Others {
    /// Adds those of another count.
    pub fn absorb(&mut self, others: Self) {
        for (status, count) in others.by_status {
            *self.by_status.entry(status).or_default() += count;
        }
        self.first = self.first.take().or(others.first);
    }
}

fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
