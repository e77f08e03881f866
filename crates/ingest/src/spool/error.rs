//! Why a record was not taken.

use std::io;
use std::sync::Arc;

use super::frame::MAX_PAYLOAD_BYTES;

/// Why a record was not taken. It was not acknowledged and need not be taken back.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SpoolError {
    /// More records are waiting for the disk than the queue holds.
    #[error("The spool's queue is full: the disk does not keep up.")]
    QueueFull,
    /// As many records as allowed are waiting to be settled.
    #[error("The spool is full: {limit} records are waiting to be settled.")]
    Full {
        /// How many may wait.
        limit: u64,
    },
    /// The payload is longer than a frame may be.
    #[error(
        "A record of {bytes} bytes is too long for the spool, which takes {MAX_PAYLOAD_BYTES}."
    )]
    TooLong {
        /// The length of the payload.
        bytes: usize,
    },
    /// The disk is full or broken.
    #[error("The spool could not be written: {0}.")]
    Io(Arc<io::Error>),
    /// The spool takes no more records.
    #[error("The spool is closed.")]
    Closed,
}
