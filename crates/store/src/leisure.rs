//! Work that nobody waits for, done so that it holds up nobody.
//!
//! Settling a flood keeps a processor busy for seconds. Linux then tends to leave that processor to it
//! and to have all that answers requests share the others, so that requests queue though there would be
//! time for both. Two things help, and together more than either: a thread that gives way to others,
//! and pauses, for a processor that has nothing to do takes over what waits for another one.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// By how much the thread gives way: it gets a tenth of what others get, where all want more than
/// there is. A thread cannot take that back, so what becomes urgent is done on another one.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// How long is worked before a pause, and how long that is: long enough to be noticed.
const STRETCH: Duration = Duration::from_millis(2);
const PAUSE: Duration = Duration::from_micros(150);

type Work = Box<dyn FnOnce() + Send>;

/// A thread that gives way to all others. It ends when this is dropped and its work is done.
#[derive(Debug)]
pub struct Leisure {
    queue: Sender<Work>,
}

impl Leisure {
    /// Starts the thread.
    pub fn start(name: &str) -> io::Result<Self> {
        let (queue, works) = mpsc::channel::<Work>();
        let serve = move || {
            give_way();
            works.into_iter().for_each(|work| work());
        };
        thread::Builder::new().name(name.to_owned()).spawn(serve)?;
        Ok(Self { queue })
    }

    /// Does work after what was given before. It says its end itself, and does not panic.
    pub fn submit(&self, work: impl FnOnce() + Send + 'static) {
        // Where a panic ended the thread nevertheless, the work is dropped, which whoever waits for its
        // end notices.
        let _ = self.queue.send(Box::new(work));
    }
}

/// The pauses of long work.
#[derive(Debug)]
pub struct Pauses {
    last: Instant,
}

impl Pauses {
    /// The work begins.
    pub fn begin() -> Self {
        Self { last: Instant::now() }
    }

    /// Pauses where it is time for it. To be called much more often than that.
    pub fn take(&mut self) {
        if self.last.elapsed() >= STRETCH {
            #[expect(clippy::disallowed_methods, reason = "it is over before anybody could tell")]
            thread::sleep(PAUSE);
            self.last = Instant::now();
        }
    }
}

/// On Linux niceness is a thread's own; elsewhere it is that of the whole process.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "a thread that should give way to others does not");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_in_order_by_a_thread_that_gives_way() {
        let leisure = Leisure::start("leisure").unwrap();
        let (done, ends) = mpsc::channel();
        for number in 0..3 {
            let done = done.clone();
            leisure.submit(move || done.send((number, rustix::process::nice(0).unwrap())).unwrap());
        }
        drop((leisure, done));
        let own = rustix::process::nice(0).unwrap();
        let ends: Vec<_> = ends.into_iter().collect();
        let niceness = if cfg!(target_os = "linux") { (own + 10).min(19) } else { own };
        assert_eq!(ends, [(0, niceness), (1, niceness), (2, niceness)]);
    }
}
