//! What a connection is doing, and by when it has to be done.
//!
//! hyper drives a connection and tells nobody how far it is. Its three neighbours do: the socket
//! sees bytes, the exchange sees requests and answers, the answer's body sees its own end. They
//! note it here, and the connection's task reads its deadline from it. hyper's own timer is not
//! used: it knows one time for waiting and for receiving, and closes without a word.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::Instant;

use super::{limits::Limits, refusal::Refusal};

/// How long, once the shutdown has begun, a connection that has not been told of it may take to send
/// the first byte of a request. That may be on its way, and many clients do not send it twice.
const LATE_START: Duration = Duration::from_millis(250);

/// The stages of a connection; all but the first come round with each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Open, and nothing received.
    Fresh,
    /// Part of a request's head has come.
    Head,
    /// The router has the request.
    Request,
    /// The router has had it for too long: it is to be answered without it.
    Overdue,
    /// hyper has the answer and is writing it.
    Reply,
    /// The answer is written, nothing of the next request has come.
    Idle,
}

/// The shared notes about one connection.
pub(super) struct Progress(Mutex<Notes>);

struct Notes {
    stage: Stage,
    /// When the stage began, or when it last moved on.
    since: Instant,
    reply_taken: bool,
    draining: bool,
    drain: Option<BoxFuture<'static, ()>>,
    unasked: bool,
    refusal: Option<Refusal>,
    closing_since: Option<Instant>,
}

impl Notes {
    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.since = Instant::now();
    }
}

impl Progress {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Notes {
            stage: Stage::Fresh,
            since: Instant::now(),
            reply_taken: false,
            draining: false,
            drain: None,
            unasked: false,
            refusal: None,
            closing_since: None,
        }))
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // Every note is a plain value: there is no half-done change to fear.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes came in. While a body is being drained they are not those of a head.
    pub(super) fn received(&self) {
        let mut notes = self.notes();
        match notes.stage {
            Stage::Fresh => notes.stage = Stage::Head,
            Stage::Idle if !notes.draining => notes.enter(Stage::Head),
            _ => {}
        }
    }

    /// Bytes went out.
    pub(super) fn sent(&self) {
        let mut notes = self.notes();
        if notes.stage == Stage::Reply {
            notes.since = Instant::now();
        }
    }

    /// hyper has nothing left to write at the moment.
    pub(super) fn flushed(&self) {
        let mut notes = self.notes();
        if notes.stage == Stage::Reply && notes.reply_taken {
            notes.enter(Stage::Idle);
        }
    }

    /// The router got a request.
    pub(super) fn request_begun(&self) {
        let mut notes = self.notes();
        notes.enter(Stage::Request);
        notes.draining = false;
    }

    /// The time for the request is over; false where the router has none.
    pub(super) fn end_request(&self) -> bool {
        let mut notes = self.notes();
        let has_request = notes.stage == Stage::Request;
        if has_request {
            notes.enter(Stage::Overdue);
        }
        has_request
    }

    /// Whether the time for the request is over.
    pub(super) fn is_overdue(&self) -> bool {
        self.notes().stage == Stage::Overdue
    }

    /// hyper got the answer.
    pub(super) fn reply_begun(&self) {
        let mut notes = self.notes();
        notes.enter(Stage::Reply);
        notes.reply_taken = false;
    }

    /// hyper has taken the whole answer, though not yet written it.
    pub(super) fn reply_taken(&self) {
        self.notes().reply_taken = true;
    }

    /// Leaves the unread rest of a body to the connection's task.
    pub(super) fn leave_drain(&self, drain: BoxFuture<'static, ()>) {
        let mut notes = self.notes();
        notes.draining = true;
        notes.drain = Some(drain);
    }

    /// Takes what was left to drain.
    pub(super) fn take_drain(&self) -> Option<BoxFuture<'static, ()>> {
        self.notes().drain.take()
    }

    /// The body has been drained, or given up.
    pub(super) fn drained(&self) {
        self.notes().draining = false;
    }

    /// The last request's body was neither asked for nor read.
    pub(super) fn leave_unasked(&self) {
        self.notes().unasked = true;
    }

    /// Whether a body may come that was not asked for.
    pub(super) fn is_unasked(&self) -> bool {
        self.notes().unasked
    }

    /// Whether no answer of ours is due or on its way: what hyper writes now is its own.
    pub(super) fn is_quiet(&self) -> bool {
        matches!(self.notes().stage, Stage::Fresh | Stage::Head | Stage::Idle)
    }

    /// Whether a request's head is coming in.
    pub(super) fn is_receiving(&self) -> bool {
        self.notes().stage == Stage::Head
    }

    /// hyper refused the request.
    pub(super) fn refuse(&self, refusal: Refusal) {
        self.notes().refusal.get_or_insert(refusal);
    }

    /// Why hyper refused the request.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        self.notes().refusal
    }

    /// The server is shutting down.
    pub(super) fn closing(&self) {
        self.notes().closing_since.get_or_insert_with(Instant::now);
    }

    /// By when the connection must have moved on.
    pub(super) fn due(&self, limits: &Limits) -> Option<Instant> {
        let notes = self.notes();
        let start = |due: Instant| {
            let late = |closing_since| notes.since.max(closing_since) + LATE_START;
            Some(notes.closing_since.map_or(due, |since| due.min(late(since))))
        };
        match notes.stage {
            Stage::Fresh => start(notes.since + limits.header_timeout),
            Stage::Head => Some(notes.since + limits.header_timeout),
            Stage::Request => Some(notes.since + limits.request_timeout),
            // hyper may not ask for the answer before the client has read the last one.
            Stage::Overdue => Some(notes.since + limits.idle_timeout),
            Stage::Reply => Some(notes.since + limits.idle_timeout),
            Stage::Idle => start(notes.since + limits.idle_timeout),
        }
    }
}
