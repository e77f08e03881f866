//! The spool: uplinks on the local disk, between the answer to their sender and the store.
//!
//! Network servers post each uplink exactly once. It is answered 200 when it is fsynced here, and a
//! settler moves it into the store later. A spool is a directory of append-only segments of
//! checksummed frames, written by one thread that commits all that is waiting with one `fdatasync`.
//!
//! ```text
//! <root>/lock                          held for moments: making, adopting and removing spools
//! <root>/set-aside.log                 records that can never be settled, see [`set_aside`]
//! <root>/<spool id>/lock               held for the life of the process that writes the spool
//! <root>/<spool id>/<20 digits>.seg    a segment, named after the first sequence that it may hold
//! ```
//!
//! Every process makes a spool of its own and adopts what dead ones left behind ([`orphans`]), so
//! that an old process may drain while a new one starts beside it. Records are numbered from 1
//! within their spool. Whoever settles them keeps, under the spool's id and in the same transaction,
//! the sequence through which it is done, for each lane of devices: that makes it exactly once. Those
//! positions are forgotten after the spool's segments are deleted and before its directory is, so that
//! neither outlives the other.
//!
//! | looking for | module |
//! |---|---|
//! | appending, waiting, trimming | [`Spool`] |
//! | reading back what was acknowledged, in a living and in an orphaned spool | [`Reader`], [`Replay`], [`Batch`] |
//! | the bytes of a frame and of a segment's header | `frame`, `segment` |
//! | how frames are found again behind damage | `scan` |
//! | what happens when a write fails | `log` |
//! | making a disk fail in a test | [`disk`] |
//!
//! # What is promised
//!
//! *Acknowledged* means that [`Spool::append`] returned `Ok`.
//!
//! - **The process is killed**, at any moment: every acknowledged record is replayed once, with its
//!   payload and sequence. A record that was being written, or whose caller has gone away, may be
//!   replayed too: nobody was promised that it is absent.
//! - **Power is lost**: the same, where the disk honours `fdatasync` and writes a sector as a whole
//!   or not at all. The files' names are synced before the first record in them is acknowledged.
//! - **The disk is full**: the callers get [`SpoolError::Io`], nothing acknowledged is touched, and
//!   appending goes on by itself once there is room. Segments are allocated ahead, so that a
//!   full disk mostly shows between segments.
//! - **A write or a sync fails**: nothing of that batch is acknowledged, and its sequences are never
//!   given again. After a failed sync the kernel may have dropped the pages and called them clean, so
//!   the segment is cut back to its last acknowledged byte and never written again; the next batch
//!   starts a new one. Where cutting fails too and the process dies before the new segment stands, a
//!   record of the failed batch may be replayed: at worst a record that nobody was promised.
//! - **A file is cut, or bits in it are flipped**: what is replayed is what was written, never
//!   anything else (up to the strength of a 32-bit checksum). Every whole frame before and behind
//!   the damage is found. Damaged stretches are counted; lost records are counted where a later
//!   record or a later segment shows that they existed. An unreadable segment header costs no record.
//! - **A sender who knows this format** cannot hide a frame inside a payload for a scan behind damage
//!   to find: checksums begin with the spool's id, which no sender knows.
//!
//! # What is not
//!
//! - Damage that costs the last records of the newest segment cannot be told from a batch that was
//!   never finished: it counts as a damaged stretch if it left bytes behind, and as nothing if the
//!   file was cut between two frames.
//! - A sector that the disk refuses to read is an error and not damage: waiting for the disk, or for
//!   its operator, may bring the records back, skipping would lose them for good.
//! - There is one copy, on one disk. Whoever loses the disk loses what was not settled.

pub mod disk;
pub mod set_aside;

mod batch;
mod error;
mod frame;
mod gathering;
mod ledger;
mod log;
mod open;
mod options;
mod orphan;
mod place;
mod reader;
mod receipt;
mod replay;
mod scan;
mod segment;
mod writer;

pub use batch::Batch;
pub use error::SpoolError;
pub use frame::MAX_PAYLOAD_BYTES;
pub use open::Spool;
pub use options::Options;
pub use orphan::{Orphan, orphans};
pub use reader::Reader;
pub use receipt::Receipt;
pub use replay::Replay;
pub use writer::Payload;
