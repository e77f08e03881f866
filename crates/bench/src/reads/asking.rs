//! How long answers take: one question after the other, on one connection.

use std::time::{Duration, Instant};

use super::figures::{Finding, Timing};
use super::questions::{Question, Request};
use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::failure::Failure;

/// How often a question is asked before it is timed, and how often it is timed. Neither goes on past
/// its time, so that slow answers do not hold up the rest.
const WARM_UP: (usize, Duration) = (10, Duration::from_secs(1));
const TIMED: (usize, Duration) = (200, Duration::from_secs(2));

/// Asks a question until it is clear how long its answers take, or until one is wrong.
pub async fn ask(endpoint: &Endpoint, question: &Question) -> Result<Finding, Failure> {
    let mut asking = Asking { endpoint, connection: Connection::open(endpoint.address).await? };
    let mut requests = question.requests.iter().cycle();
    if let Err(wrong) = asking.ask(&mut requests, WARM_UP).await? {
        return Ok(Finding::Wrong(wrong));
    }
    Ok(match asking.ask(&mut requests, TIMED).await? {
        Ok(mut latencies) => Finding::Timed(Timing::of(&mut latencies)),
        Err(wrong) => Finding::Wrong(wrong),
    })
}

struct Asking<'a> {
    endpoint: &'a Endpoint,
    connection: Connection,
}

impl Asking<'_> {
    /// The times of the answers in microseconds, or what is wrong with the first wrong one.
    async fn ask<'r>(
        &mut self,
        requests: impl Iterator<Item = &'r Request>,
        (most, time): (usize, Duration),
    ) -> Result<Result<Vec<u32>, String>, Failure> {
        let mut latencies = Vec::with_capacity(most);
        let begun = Instant::now();
        for request in requests.take(most) {
            let text = self.endpoint.head("GET", &request.path, 0);
            let sent = Instant::now();
            let answer = self.connection.exchange(text.as_bytes()).await?;
            let latency = sent.elapsed().as_micros();
            if let Err(wrong) = request.expected.check(&answer) {
                return Ok(Err(format!("GET {}: {wrong}", request.path)));
            }
            latencies.push(u32::try_from(latency).unwrap_or(u32::MAX));
            if begun.elapsed() > time {
                break;
            }
        }
        Ok(Ok(latencies))
    }
}
