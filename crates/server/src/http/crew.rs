//! The threads that connections live on.
//!
//! A connection stays on one thread from its first byte to its last. Uplinks wait for the disk by the
//! hundred. On threads that share all connections, every other answer was made on another processor than
//! its request was read on: whatever had been kept for it came over from that one's caches, and its
//! memory went back to that one's heap. Whoever computes for long holds up the other connections of the
//! thread; so what takes a while is done on the threads of the stores and on those for blocking work, and
//! answers that are compressed as they are written give way between their pieces (`reply_body`).

use std::convert::Infallible;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Threads for connections. When this is dropped they end, and with them whatever still runs there.
pub struct Crew {
    hands: Vec<Hand>,
}

/// One of the threads.
struct Hand {
    runtime: Handle,
    /// Held by each of its connections, and here.
    seats: Arc<()>,
    /// Dropped, it tells the thread to end.
    _until: oneshot::Sender<Infallible>,
}

impl Crew {
    /// Starts one thread for each processor.
    pub fn start() -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        let hands = (0..processors).map(|_| Hand::start()).collect::<io::Result<_>>()?;
        Ok(Self { hands })
    }

    /// Gives a connection to the thread that has the fewest.
    pub(super) fn take_on<C>(&self, connections: &mut JoinSet<()>, connection: C)
    where
        C: Future<Output = ()> + Send + 'static,
    {
        let Some(hand) = self.hands.iter().min_by_key(|hand| Arc::strong_count(&hand.seats)) else {
            return;
        };
        let seat = Arc::clone(&hand.seats);
        let seated = async move {
            connection.await;
            drop(seat);
        };
        connections.spawn_on(seated, &hand.runtime);
    }
}

impl Hand {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (until, ended) = oneshot::channel();
        let work = move || {
            let _ = runtime.block_on(ended);
            // What still runs there waits for a store that does not answer. Nobody waits for it.
            runtime.shutdown_background();
        };
        thread::Builder::new().name("weir-http".into()).spawn(work)?;
        Ok(Self { runtime: handle, seats: Arc::new(()), _until: until })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::future::pending;
    use std::thread::ThreadId;

    use tokio::sync::mpsc;

    use super::*;

    fn crew() -> Crew {
        Crew { hands: vec![Hand::start().unwrap(), Hand::start().unwrap()] }
    }

    /// Takes on a connection that stays, and says where it is.
    async fn take_on(crew: &Crew, connections: &mut JoinSet<()>) -> ThreadId {
        let (tell, mut told) = mpsc::channel(1);
        crew.take_on(connections, async move {
            let _ = tell.send(thread::current().id()).await;
            pending::<()>().await;
        });
        told.recv().await.unwrap()
    }

    #[tokio::test]
    async fn each_thread_gets_as_many_connections() {
        let (crew, mut connections) = (crew(), JoinSet::new());
        let mut taken: HashMap<ThreadId, usize> = HashMap::new();
        for _ in 0..10 {
            *taken.entry(take_on(&crew, &mut connections).await).or_default() += 1;
        }
        assert_eq!(taken.into_values().collect::<Vec<_>>(), [5, 5]);
    }

    #[tokio::test]
    async fn connections_that_have_ended_count_no_more() {
        let (crew, mut connections) = (crew(), JoinSet::new());
        let first = take_on(&crew, &mut connections).await;
        let other = take_on(&crew, &mut connections).await;
        assert_ne!(first, other);
        connections.shutdown().await;
        for _ in 0..2 {
            take_on(&crew, &mut connections).await;
        }
        let seats = crew.hands.iter().map(|hand| Arc::strong_count(&hand.seats));
        assert_eq!(seats.collect::<Vec<_>>(), [2, 2]);
    }

    #[tokio::test]
    async fn whatever_still_runs_ends_with_the_crew() {
        let (crew, mut connections) = (crew(), JoinSet::new());
        take_on(&crew, &mut connections).await;
        drop(crew);
        assert!(connections.join_next().await.unwrap().unwrap_err().is_cancelled());
    }
}
