//! Changes that other processes made in the same file.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use weir_store::{StoreResult, Verdict};

use crate::gate::Binding;
use crate::row::{self, Columns};
use crate::session::Session;

/// A thread that reads the change log and tells the listeners.
pub(crate) struct Watch {
    stop: Mutex<Option<Sender<()>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Watch {
    /// Watches from `position` on.
    pub fn start(session: Session, position: i64, every: Duration) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel();
        let mut position = position;
        let thread =
            thread::Builder::new().name("weir-sqlite-watch".to_owned()).spawn(move || {
                while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                    // What cannot be read now is still in the log, or a hole in it, next time.
                    if let Err(error) = look(&session, &mut position) {
                        tracing::warn!(%error, "the change log could not be read");
                    }
                }
            })?;
        Ok(Self { stop: Mutex::new(Some(stop)), thread: Mutex::new(Some(thread)) })
    }

    /// Ends the thread and waits for it.
    pub fn close(&self) {
        self.stop.lock().unwrap_or_else(PoisonError::into_inner).take();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
    }
}

/// The end of the log.
pub(crate) fn position(session: &Session) -> StoreResult<i64> {
    let mut position = 0;
    query(session, |tx| {
        let sql = "SELECT coalesce(max(sequence), 0) FROM change_log";
        position = tx.first(sql, [], row::number("change_log"))?.unwrap_or_default();
        Ok(())
    })?;
    Ok(position)
}

struct Entry {
    sequence: i64,
    origin: i64,
    change: String,
}

fn look(session: &Session, position: &mut i64) -> StoreResult<()> {
    let mut entries = Vec::new();
    query(session, |tx| {
        let sql = "SELECT sequence, origin, change FROM change_log
                   WHERE sequence > ?1 ORDER BY sequence";
        entries = tx.all(sql, [*position], |row| {
            let mut columns = Columns::of("change_log", row);
            Ok(Entry {
                sequence: columns.take()?,
                origin: columns.take()?,
                change: columns.take()?,
            })
        })?;
        Ok(())
    })?;
    let Some((first, last)) = entries.first().zip(entries.last()) else { return Ok(()) };
    let has_hole = first.sequence != *position + 1;
    *position = last.sequence;
    let foreign = entries.iter().filter(|entry| entry.origin != session.shared.origin);
    let changes: Result<Vec<_>, _> = foreign.map(|entry| entry.change.parse()).collect();
    session.shared.tell(|listeners| match changes {
        Ok(changes) if !has_hole => changes.iter().for_each(|change| listeners.tell(change)),
        // Rows were trimmed, or a newer program wrote what this one does not know.
        _ => listeners.tell_missed(),
    });
    Ok(())
}

fn query(
    session: &Session,
    mut work: impl FnMut(&mut crate::tx::Tx<'_>) -> StoreResult<()>,
) -> StoreResult<()> {
    let mut outcome = Ok(());
    session.transact(Binding::System, |tx| {
        outcome = work(tx);
        Verdict::RollBack
    })?;
    outcome
}
