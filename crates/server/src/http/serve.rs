//! The accept loop and its end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::{self, Shared};
use super::crew::Crew;
use super::farewell::dismiss;
use super::limits::Limits;
use super::listener::{BACKLOG, close_ears};
use super::refusal::Refusal;

/// Clients without a connection that are told so in peace at a time; more of them may lose the
/// answer to a reset.
const MAX_DISMISSALS: usize = 256;

/// How long to wait when the system has no file descriptor left for us.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// For how long a connection that is being opened may take to stand: some round trips.
const STRAGGLERS: Duration = Duration::from_millis(100);

/// What a server did until its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Served {
    /// Connections that were served.
    pub accepted: u64,
    /// Connections that were refused, because too many were open.
    pub refused: u64,
    /// Connections that were cut, because they had not ended within the grace.
    pub cut: usize,
}

/// Serves `router` on `listener` until `shutdown` is ready and what has begun is answered, or the
/// grace is over.
///
/// All connections live in the returned future, on the crew's threads: dropping it closes them.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    crew: &Crew,
    shutdown: impl Future<Output = ()>,
) -> Served {
    let (close, closing) = watch::channel(false);
    let grace = limits.shutdown_grace;
    let mut floor = Floor::new(crew, Shared { router, limits: Arc::new(limits), closing });
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(_) = floor.dismissals.join_next() => {}
            Some(ended) = floor.connections.join_next() => note_end(ended),
            (stream, peer) = accept(&listener) => floor.admit(stream, peer),
        }
    }
    close_ears(&listener);
    close.send_replace(true);
    floor.admit_stragglers(&listener).await;
    floor.admit_backlog(listener);
    floor.empty(grace).await
}

/// The next connection. Errors of single connections are theirs, and others pass.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) if is_of_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "Connections cannot be accepted at the moment.");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// The open connections.
struct Floor<'a> {
    crew: &'a Crew,
    shared: Shared,
    connections: JoinSet<()>,
    dismissals: JoinSet<()>,
    served: Served,
    is_full: bool,
}

impl<'a> Floor<'a> {
    fn new(crew: &'a Crew, shared: Shared) -> Self {
        Self {
            crew,
            shared,
            connections: JoinSet::new(),
            dismissals: JoinSet::new(),
            served: Served::default(),
            is_full: false,
        }
    }

    fn admit(&mut self, stream: TcpStream, peer: SocketAddr) {
        while let Some(ended) = self.connections.try_join_next() {
            note_end(ended);
        }
        let was_full = self.is_full;
        self.is_full = self.connections.len() >= self.shared.limits.max_connections;
        if self.is_full {
            if !was_full {
                tracing::warn!(open = self.connections.len(), "Too many connections are open.");
            }
            self.served.refused += 1;
            self.refuse(stream);
            return;
        }
        self.served.accepted += 1;
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%peer, %error, "A connection would not go without delay.");
        }
        // Its socket is watched by the thread that it is given to.
        let stream = match stream.into_std() {
            Ok(stream) => stream,
            Err(error) => return tracing::warn!(%peer, %error, "A connection was lost."),
        };
        let shared = self.shared.clone();
        self.crew.take_on(&mut self.connections, async move {
            match TcpStream::from_std(stream) {
                Ok(stream) => connection::run(stream, peer, shared).await,
                Err(error) => tracing::warn!(%peer, %error, "A connection was lost."),
            }
        });
    }

    fn refuse(&mut self, stream: TcpStream) {
        while self.dismissals.try_join_next().is_some() {}
        if self.dismissals.len() < MAX_DISMISSALS {
            let limits = Arc::clone(&self.shared.limits);
            self.dismissals
                .spawn(async move { dismiss(stream, Refusal::Overloaded, &limits).await });
        } else {
            // A new socket has room for these few bytes; whether they are read is luck.
            let _ = stream.try_write(&Refusal::Overloaded.into_bytes());
        }
    }

    /// Takes the connections whose opening had begun when the ears were closed.
    async fn admit_stragglers(&mut self, listener: &TcpListener) {
        let all = async {
            loop {
                let (stream, peer) = accept(listener).await;
                self.admit(stream, peer);
            }
        };
        let _: Result<(), _> = timeout(STRAGGLERS, all).await;
    }

    /// Takes the connections that the kernel has already made for us, and stops listening. Closing
    /// the port on them would reset clients whose request may be sent already.
    fn admit_backlog(&mut self, listener: TcpListener) {
        let Ok(listener) = listener.into_std() else { return };
        for _ in 0..BACKLOG {
            let Ok((stream, peer)) = listener.accept() else { return };
            if stream.set_nonblocking(true).is_ok()
                && let Ok(stream) = TcpStream::from_std(stream)
            {
                self.admit(stream, peer);
            }
        }
    }

    /// Waits for the connections to end, and cuts those that do not within the grace.
    async fn empty(mut self, grace: Duration) -> Served {
        let all = async {
            while let Some(ended) = self.connections.join_next().await {
                note_end(ended);
            }
        };
        if timeout(grace, all).await.is_err() {
            self.served.cut = self.connections.len();
            tracing::warn!(cut = self.served.cut, "The grace is over: connections are cut.");
            self.connections.shutdown().await;
        }
        self.served
    }
}

fn note_end(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "A connection's task failed.");
    }
}
