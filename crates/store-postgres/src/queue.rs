//! Work that waits for a connection.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Which kind of work it is. Reading work may take every connection; changing work leaves some free,
/// so that reads do not wait behind writes that wait for each other's locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    Read,
    Write,
}

/// A bounded queue of two lanes. Among what may be begun, what came first comes first.
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    capacity: usize,
    most_writing: usize,
}

struct State<T> {
    reads: VecDeque<(u64, T)>,
    writes: VecDeque<(u64, T)>,
    next: u64,
    writing: usize,
    is_closed: bool,
}

/// Why work was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Declined {
    #[error("too much work is waiting")]
    Full,
    #[error("it is shutting down")]
    Closed,
}

impl<T> Queue<T> {
    /// A queue that holds `capacity` in each lane, for so many threads.
    pub(crate) fn new(capacity: usize, threads: usize) -> Self {
        let state = State {
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            next: 0,
            writing: 0,
            is_closed: false,
        };
        let most_writing = threads.saturating_sub((threads / 3).max(1)).max(1);
        Self { state: Mutex::new(state), changed: Condvar::new(), capacity, most_writing }
    }

    /// Adds work, or gives it back.
    pub(crate) fn push(&self, lane: Lane, item: T) -> Result<(), (T, Declined)> {
        let mut state = self.lock();
        if state.is_closed {
            return Err((item, Declined::Closed));
        }
        let ticket = state.next;
        let waiting = match lane {
            Lane::Read => &mut state.reads,
            Lane::Write => &mut state.writes,
        };
        if waiting.len() >= self.capacity {
            return Err((item, Declined::Full));
        }
        waiting.push_back((ticket, item));
        state.next += 1;
        self.changed.notify_one();
        Ok(())
    }

    /// Waits for work; none once the queue is closed and empty. [`Queue::ended`] must follow.
    pub(crate) fn next(&self) -> Option<(Lane, T)> {
        let mut state = self.lock();
        loop {
            if let Some(found) = state.take(self.most_writing) {
                return Some(found);
            }
            if state.is_closed && state.writes.is_empty() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that work from a lane has ended.
    pub(crate) fn ended(&self, lane: Lane) {
        if lane == Lane::Write {
            self.lock().writing -= 1;
            self.changed.notify_all();
        }
    }

    /// Takes no more work.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> State<T> {
    fn take(&mut self, most_writing: usize) -> Option<(Lane, T)> {
        let read = self.reads.front().map(|(ticket, _)| *ticket);
        let may_write = self.writing < most_writing;
        let write = self.writes.front().map(|(ticket, _)| *ticket).filter(|_| may_write);
        match (read, write) {
            (None, None) => None,
            (Some(read), Some(write)) if read < write => self.take_read(),
            (Some(_), None) => self.take_read(),
            (_, Some(_)) => {
                self.writing += 1;
                self.writes.pop_front().map(|(_, item)| (Lane::Write, item))
            }
        }
    }

    fn take_read(&mut self) -> Option<(Lane, T)> {
        self.reads.pop_front().map(|(_, item)| (Lane::Read, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_leave_connections_free_and_otherwise_keep_their_turn() {
        let queue = Queue::new(10, 3);
        for (lane, item) in [
            (Lane::Write, 1),
            (Lane::Write, 2),
            (Lane::Write, 3),
            (Lane::Read, 4),
            (Lane::Write, 5),
        ] {
            queue.push(lane, item).unwrap();
        }
        assert_eq!(queue.next(), Some((Lane::Write, 1)));
        assert_eq!(queue.next(), Some((Lane::Write, 2)));
        assert_eq!(queue.next(), Some((Lane::Read, 4)), "two of three may write");
        queue.ended(Lane::Read);
        queue.ended(Lane::Write);
        assert_eq!(queue.next(), Some((Lane::Write, 3)));
        queue.close();
        queue.ended(Lane::Write);
        assert_eq!(queue.next(), Some((Lane::Write, 5)), "what is queued is still done");
        queue.ended(Lane::Write);
        assert_eq!(queue.next(), None);
    }

    #[test]
    fn a_full_lane_and_a_closed_queue_decline() {
        let queue = Queue::new(1, 1);
        queue.push(Lane::Write, 1).unwrap();
        assert_eq!(queue.push(Lane::Write, 2), Err((2, Declined::Full)));
        queue.push(Lane::Read, 3).unwrap();
        queue.close();
        assert_eq!(queue.push(Lane::Read, 4), Err((4, Declined::Closed)));
        assert_eq!(queue.next(), Some((Lane::Write, 1)), "a single connection may write");
    }
}
