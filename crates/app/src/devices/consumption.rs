//! The consumption history of a device.

use weir_domain::{DeviceKey, Reading};
use weir_store::{From, ReadTx};

use crate::AppResult;

/// How many readings are taken from the store at a time, so that a year of minutes never lies in
/// memory as a whole.
pub const HISTORY_CHUNK: u32 = 5_000;

/// The next readings of a device, oldest first; fewer than [`HISTORY_CHUNK`] mean that these are the
/// last.
pub fn history_page(tx: &mut dyn ReadTx, device: DeviceKey, from: From) -> AppResult<Vec<Reading>> {
    Ok(tx.readings_page(device, from, HISTORY_CHUNK)?)
}
