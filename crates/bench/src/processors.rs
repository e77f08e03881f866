//! How many processors everything that is measured shares.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::failure::Failure;

/// Keeps this thread, and all threads and programs that it starts from now on, to the first so many
/// of the processors it may use, and says how many those are: figures of two machines compare a little
/// better.
pub fn share(most: u32) -> Result<u32, Failure> {
    let refused = |error: rustix::io::Errno| {
        Failure::io("the processors cannot be chosen", std::io::Error::from(error))
    };
    let allowed = sched_getaffinity(None).map_err(refused)?;
    let mut chosen = CpuSet::new();
    let first = (0..CpuSet::MAX_CPU).filter(|number| allowed.is_set(*number));
    first.take(most as usize).for_each(|number| chosen.set(number));
    sched_setaffinity(None, &chosen).map_err(refused)?;
    Ok(chosen.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_are_used_than_are_asked_for() {
        // On a thread of its own, which takes its choice along when it ends.
        let shared = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name("chooser".into());
            let share = || (share(1).unwrap(), sched_getaffinity(None).unwrap().count());
            thread.spawn_scoped(scope, share).unwrap().join().unwrap()
        });
        assert_eq!(shared, (1, 1));
    }
}
