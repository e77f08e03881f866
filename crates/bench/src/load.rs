//! Sending on many connections at once: as fast as answers come, or at times that were set before.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::failure::Failure;
use crate::feed::Feed;
use crate::tally::{Begun, Tally};
use crate::uplink::{Request, Tenant};

/// How long nothing may happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// Who sends, and what.
#[derive(Debug)]
pub struct Load<'a> {
    /// The service.
    pub endpoint: &'a Endpoint,
    /// On how many connections.
    pub connections: u32,
    /// The uplinks.
    pub feed: &'a Arc<Feed>,
    /// Whose they are said to be.
    pub tenant: Tenant,
}

/// When a connection sends its next uplink, and when no more.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// As soon as its last one is answered, until so many were taken from the feed.
    Until(u64),
    /// As soon as its last one is answered, for so long.
    For(Duration),
    /// At moments that were set before: so many a second, and so many of them, each by a connection
    /// that is free then. How long an answer takes is counted from its moment on, also where no
    /// connection was free, so no stall is hidden by what could not be sent meanwhile. The runtime's
    /// timer is up to a millisecond late, which counts as well.
    At {
        /// How many a second.
        per_second: f64,
        /// How many in all.
        count: u64,
    },
}

/// What the connections share.
#[derive(Debug)]
struct Course {
    feed: Arc<Feed>,
    tenant: Tenant,
    pace: Pace,
    begun: Instant,
    first: u64,
}

impl Load<'_> {
    /// Sends on connections that are open before the time begins. An uplink that has been sent is
    /// always waited for.
    pub async fn send(&self, pace: Pace) -> Result<Tally, Failure> {
        let mut connections = Vec::with_capacity(self.connections as usize);
        for _ in 0..self.connections {
            let mut request = Request::new(self.endpoint);
            request.set_tenant(self.tenant);
            connections.push((Connection::open(self.endpoint.address).await?, request));
        }
        let (feed, begun) = (self.feed.clone(), Begun::now());
        let (first, tenant) = (feed.taken(), self.tenant);
        let course = Arc::new(Course { feed, tenant, pace, begun: begun.at, first });
        let mut tasks = JoinSet::new();
        for (connection, request) in connections {
            tasks.spawn(keep_sending(course.clone(), connection, request));
        }
        let mut tally = self.gather(tasks).await?;
        tally.end(begun);
        Ok(tally)
    }

    /// Waits for all connections, however long that takes, as long as any of them goes on.
    async fn gather(&self, mut tasks: JoinSet<Result<Tally, Failure>>) -> Result<Tally, Failure> {
        let (mut tally, mut taken) = (Tally::default(), self.feed.taken());
        loop {
            match tokio::time::timeout(PATIENCE, tasks.join_next()).await {
                Ok(None) => return Ok(tally),
                Ok(Some(task)) => tally.absorb(task??),
                Err(_) if self.feed.taken() > taken => taken = self.feed.taken(),
                Err(_) => {
                    return Err(Failure::Silent {
                        what: "an answer to an uplink",
                        limit: PATIENCE,
                    });
                }
            }
        }
    }
}

async fn keep_sending(
    course: Arc<Course>,
    mut connection: Connection,
    mut request: Request,
) -> Result<Tally, Failure> {
    let mut tally = Tally { latencies: Vec::with_capacity(4096), ..Tally::default() };
    let mut answered = Instant::now();
    while let Some(due) = course.next(&mut request, answered) {
        if due > answered {
            tokio::time::sleep_until(due.into()).await;
        }
        let answer = connection.exchange(request.bytes()).await?;
        answered = Instant::now();
        tally.count(course.tenant, &answer, answered.duration_since(due));
    }
    Ok(tally)
}

impl Course {
    /// Writes the next uplink into the request, and says when it is due.
    fn next(&self, request: &mut Request, now: Instant) -> Option<Instant> {
        match self.pace {
            Pace::Until(most) => self.feed.take(request, most).map(|_| now),
            Pace::For(time) => {
                let is_over = now.duration_since(self.begun) >= time;
                if is_over { None } else { self.feed.take(request, u64::MAX).map(|_| now) }
            }
            Pace::At { per_second, count } => {
                let number = self.feed.take(request, self.first + count)? - self.first;
                Some(self.begun + Duration::from_secs_f64(number as f64 / per_second))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use weir_domain::Timestamp;

    use super::*;
    use crate::testing::{Faults, serve};

    async fn send(faults: Faults, tenant: Tenant, pace: Pace) -> (Tally, Arc<Feed>) {
        let endpoint = serve(40, faults).await;
        let feed = Arc::new(Feed::new(40, Timestamp::from_micros(0)));
        let load = Load { endpoint: &endpoint, connections: 4, feed: &feed, tenant };
        (load.send(pace).await.unwrap(), feed)
    }

    #[tokio::test]
    async fn as_many_are_sent_as_are_asked_for() {
        let (tally, feed) = send(Faults::default(), Tenant::Right, Pace::Until(95)).await;
        assert_eq!((tally.latencies.len(), feed.taken()), (95, 95));
        assert!(tally.others.by_status.is_empty());
    }

    #[tokio::test]
    async fn it_is_sent_for_as_long_as_is_asked_for() {
        let time = Duration::from_millis(20);
        let (tally, feed) = send(Faults::default(), Tenant::Wrong, Pace::For(time)).await;
        assert_eq!(tally.latencies.len() as u64, feed.taken());
        assert!(tally.elapsed >= time && feed.taken() >= 4);
    }

    #[tokio::test]
    async fn what_waits_for_a_connection_is_late_from_its_moment_on() {
        // Each answer takes at least 20 ms, so four connections can do 200 a second, and not 2,000.
        let faults = Faults { delay: Duration::from_millis(20), ..Faults::default() };
        let pace = Pace::At { per_second: 2_000.0, count: 40 };
        let (mut tally, _) = send(faults, Tenant::Right, pace).await;
        assert_eq!(tally.latencies.len(), 40);
        tally.latencies.sort_unstable();
        // The last of ten on its connection is due after 20 ms and answered after 200.
        assert!(tally.latencies[39] >= 180_000, "{:?}", tally.latencies);
        assert!(tally.latencies[0] < tally.latencies[39]);
    }

    #[tokio::test]
    async fn moments_are_waited_for() {
        let pace = Pace::At { per_second: 1_000.0, count: 31 };
        let (tally, _) = send(Faults::default(), Tenant::Right, pace).await;
        assert_eq!(tally.latencies.len(), 31);
        assert!(tally.elapsed >= Duration::from_millis(30), "{:?}", tally.elapsed);
    }
}
