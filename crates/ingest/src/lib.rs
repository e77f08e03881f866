//! From an accepted uplink to the store.
//!
//! ```text
//! request ─▶ Intake ─▶ Spool (fsync) ─▶ 200
//!              │            │
//!          Directory        ▼
//!          Quota        Settler ─▶ store ─▶ Barrier lets reads pass
//!          Pending
//! ```
//!
//! Network servers post each uplink once and never again, so the 200 depends on one thing only: the
//! uplink is fsynced in the local [`spool`]. The settler moves records into the store in big sorted
//! batches, exactly once: the spool's position is stored in the same transaction. While the store is
//! away, ingestion of known devices goes on.
//!
//! | looking for | module |
//! |---|---|
//! | the order of checks, and what is answered | [`intake`] |
//! | which device an EUI is, without a query | [`directory`] |
//! | what counts as a repeat | [`intake`], [`pending`] |
//! | counting requests across nodes and crashes | [`quota`] |
//! | who is refused when there is too much | [`shares`] |
//! | what the disk promises | [`spool`] |
//! | what one settling transaction does | [`settle`] |
//! | which days of a device are kept | [`days`] |
//! | what happens when settling fails | `settler` |
//! | why a read sees what was acknowledged before it | [`barrier`] |

pub mod barrier;
pub mod days;
pub mod directory;
pub mod figures;
mod haste;
pub mod intake;
mod node;
pub mod pending;
mod prompt;
pub mod quota;
pub mod record;
pub mod recovery;
pub mod settle;
mod settler;
pub mod shares;
pub mod spool;

pub use intake::{Accepted, Admission, Intake, NotTaken, Sender, Taken};
pub use node::{Health, Node, Options};
