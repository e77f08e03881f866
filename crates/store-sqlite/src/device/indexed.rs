//! What messages change seldom and indexes have. It is stored by itself, where it changes: SQLite would
//! write the indexes of whatever a statement sets, changed or not, with every message.

use std::collections::HashMap;
use std::time::Duration;

use weir_domain::{DeviceKey, Status, Timestamp};
use weir_store::{DeviceState, StoreResult};

use crate::row;
use crate::tx::Tx;

/// How far the mark may stay behind.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What indexes have of a device that messages change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Indexed {
    /// Its stored status.
    pub status: Status,
    /// When it was first seen.
    pub first_seen_at: Option<Timestamp>,
    /// A moment not after that at which it was last seen, and at most a day before it.
    pub seen_mark: Timestamp,
}

impl Indexed {
    /// The same once the device is in that state.
    fn after(self, state: &DeviceState) -> Self {
        let last_seen = state.telemetry.last_seen_at.unwrap_or(Timestamp::from_micros(0));
        let is_behind = last_seen > self.seen_mark.plus(A_DAY);
        Self {
            status: state.status,
            first_seen_at: state.telemetry.first_seen_at,
            seen_mark: if is_behind { last_seen } else { self.seen_mark.min(last_seen) },
        }
    }
}

/// What changes of those devices of which something does. What is `known` need not be looked up.
pub(super) fn changes(
    tx: &Tx<'_>,
    states: &[DeviceState],
    known: &HashMap<DeviceKey, Indexed>,
) -> StoreResult<Vec<(DeviceKey, Indexed)>> {
    let sql = "SELECT status, first_seen_at, seen_mark FROM gate.device WHERE key = ?1";
    let mut select = tx.statement(sql)?;
    let mut changes = Vec::new();
    for state in states {
        let before = match known.get(&state.key) {
            Some(known) => Some(*known),
            None => select.first([state.key.0], row::indexed)?,
        };
        let after = before.map(|before| before.after(state));
        if let Some(after) = after.filter(|_| after != before) {
            changes.push((state.key, after));
        }
    }
    Ok(changes)
}

/// Stores it.
pub(super) fn store(tx: &Tx<'_>, changes: &[(DeviceKey, Indexed)]) -> StoreResult<()> {
    let sql = "UPDATE device SET status = ?2, first_seen_at = ?3, seen_mark = ?4 WHERE key = ?1";
    let mut update = tx.statement(sql)?;
    for (key, Indexed { status, first_seen_at, seen_mark }) in changes {
        let first_seen_at = first_seen_at.map(|at| at.micros());
        update.execute((key.0, status.as_str(), first_seen_at, seen_mark.micros()))?;
    }
    Ok(())
}
