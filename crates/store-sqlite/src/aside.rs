//! Work at leisure: on a thread that gives way to others, and with pauses.

use std::sync::mpsc;

use weir_store::{Leisure, Pauses};

use crate::crew::{Job, Ran};
use crate::session::Session;

/// After so many steps of SQLite's machine it is asked whether it is time for a pause: some tenths of
/// a millisecond.
const STEPS: i32 = 2_000;

/// The thread that gives way, once there is work for it.
#[derive(Default)]
pub(crate) struct Aside {
    leisure: Option<Leisure>,
}

impl Aside {
    /// Lends a session to the thread and waits, so that jobs keep their order. Nothing comes back where
    /// that thread has died.
    pub fn run(&mut self, session: Session, job: Job) -> Option<Ran> {
        let leisure = match &mut self.leisure {
            Some(leisure) => leisure,
            None => match Leisure::start("weir-sqlite-leisure") {
                Ok(leisure) => self.leisure.insert(leisure),
                Err(_) => return Some(job.run(session)),
            },
        };
        let (back, returned) = mpsc::channel();
        leisure.submit(move || {
            let _ = back.send(with_pauses(session, job));
        });
        returned.recv().ok()
    }
}

fn with_pauses(mut session: Session, job: Job) -> Ran {
    let mut pauses = Pauses::begin();
    let pause = move || {
        pauses.take();
        false
    };
    // Without pauses it is done as well.
    let _ = session.connection.progress_handler(STEPS, Some(pause));
    let mut ran = job.run(session);
    let _ = ran.session.connection.progress_handler(0, None::<fn() -> bool>);
    ran
}
