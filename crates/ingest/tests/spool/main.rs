//! The spool's promises, tested on real files and on a disk that fails when told to.

#![expect(clippy::unwrap_used, reason = "what fails here is the test")]

mod adoption;
mod commit;
mod damage;
mod disk;
mod faults;
mod set_aside;
mod support;
mod trim;
