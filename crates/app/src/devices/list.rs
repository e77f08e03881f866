//! Listing the fleet.

use weir_domain::{Device, DeviceKey, Volume};
use weir_store::{Page, ReadTx};

use crate::AppResult;

/// Of how many readings a device's trend is made.
pub const TREND_READINGS: u32 = 24;

/// A device in the list.
#[derive(Debug, Clone)]
pub struct DeviceInList {
    /// The device.
    pub device: Device,
    /// Its newest cumulative values, oldest first, where they were asked for.
    pub trend: Option<Vec<Volume>>,
}

/// A page of the list.
#[derive(Debug, Clone)]
pub struct DeviceList {
    /// The devices of the page.
    pub devices: Vec<DeviceInList>,
    /// How many there are on all pages.
    pub total: u64,
}

/// The live devices, newest first, with their recent consumption where that is wanted.
pub fn list(tx: &mut dyn ReadTx, page: Page, include_consumption: bool) -> AppResult<DeviceList> {
    let total = tx.devices_count()?;
    let devices = tx.devices_page(page)?;
    let trends: Vec<Option<Vec<Volume>>> = if include_consumption {
        let keys: Vec<DeviceKey> = devices.iter().map(|device| device.key).collect();
        tx.volumes_newest(&keys, TREND_READINGS)?.into_iter().map(Some).collect()
    } else {
        vec![None; devices.len()]
    };
    let devices = devices
        .into_iter()
        .zip(trends)
        .map(|(device, trend)| DeviceInList { device, trend })
        .collect();
    Ok(DeviceList { devices, total })
}
