//! Sending on many connections at once.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::sender::Sender;
use crate::uplink::Tenant;

/// How long answers may be waited for after the time is up.
const PATIENCE: Duration = Duration::from_secs(30);

/// What came back in one stretch of sending.
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

/// Lets every sender send for `time`, at least one uplink each, on connections that are open before
/// the time begins. An uplink that has been sent is always waited for.
pub async fn send(
    endpoint: &Endpoint,
    senders: &mut Vec<Sender>,
    tenant: Tenant,
    time: Duration,
) -> Result<Tally, Failure> {
    let mut connected = Vec::with_capacity(senders.len());
    for mut sender in senders.drain(..) {
        sender.set_tenant(tenant);
        connected.push((sender, Connection::open(endpoint.address).await?));
    }
    let (begun, client) = (Instant::now(), processor_time());
    let mut tasks = JoinSet::new();
    for (sender, connection) in connected {
        tasks.spawn(keep_sending(sender, connection, expected(tenant), begun + time));
    }
    let mut tally = Tally::default();
    let mut gather = async || {
        while let Some(task) = tasks.join_next().await {
            let (sender, latencies, others) = task??;
            senders.push(sender);
            tally.latencies.extend(latencies);
            tally.others.absorb(others);
        }
        Ok::<_, Failure>(())
    };
    let late = |_| Failure::Silent { what: "an answer to an uplink", limit: PATIENCE };
    tokio::time::timeout(time + PATIENCE, gather()).await.map_err(late)??;
    tally.elapsed = begun.elapsed();
    tally.client = processor_time().saturating_sub(client);
    Ok(tally)
}

async fn keep_sending(
    mut sender: Sender,
    mut connection: Connection,
    expected: u16,
    until: Instant,
) -> Result<(Sender, Vec<u32>, Others), Failure> {
    let (mut latencies, mut others) = (Vec::with_capacity(4096), Others::default());
    let mut sent = Instant::now();
    loop {
        let answer = connection.exchange(sender.next_request()).await?;
        let answered = Instant::now();
        if answer.status == expected {
            let latency = answered.duration_since(sent).as_micros();
            latencies.push(u32::try_from(latency).unwrap_or(u32::MAX));
        } else {
            others.count(answer.status, answer.body);
        }
        if answered >= until {
            return Ok((sender, latencies, others));
        }
        sent = answered;
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
    fn count(&mut self, status: u16, body: &[u8]) {
        *self.by_status.entry(status).or_default() += 1;
        self.first.get_or_insert_with(|| String::from_utf8_lossy(body).into_owned());
    }

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
