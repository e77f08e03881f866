//! What new devices take over of their EUIs' past.

use weir_domain::consumption::kept::until_after;
use weir_domain::{DeviceKey, Reading, Status};
use weir_store::{DeviceState, Sighting, WriteTx};

use crate::AppResult;

/// What was remembered of an EUI: its messages, and its readings oldest first.
pub(crate) type Remembered = (Sighting, Vec<Reading>);

/// Gives new devices what was remembered of their EUIs: readings, device name, battery, position,
/// times and message count. They were heard, so they are online.
pub(crate) fn adopt(tx: &mut dyn WriteTx, adopted: Vec<(DeviceKey, Remembered)>) -> AppResult<()> {
    let mut readings = Vec::new();
    let mut states = Vec::with_capacity(adopted.len());
    for (key, (sighting, remembered)) in adopted {
        states.push(DeviceState {
            key,
            status: Status::Online,
            is_live: true,
            telemetry: sighting.telemetry,
            days_until: until_after(None, &remembered),
        });
        readings.extend(remembered.into_iter().map(|reading| (key, reading)));
    }
    tx.readings_append(&readings)?;
    tx.device_states_store(&states)?;
    Ok(())
}
