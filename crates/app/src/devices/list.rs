//! Listing the fleet.

use weir_domain::first_seen::FirstSeen;
use weir_domain::{Device, DeviceKey, Status, Timestamp, Volume};
use weir_store::{CustomerFilter, DeviceFilter, DeviceOrder, Page, ReadTx};

use super::calendar_of;
use crate::{AppResult, Env};

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

/// Which live devices are asked for, and in which order. All that is given has to hold.
#[derive(Debug, Clone, Default)]
pub struct DeviceQuery {
    /// Principal ones only, or others only.
    pub is_principal: Option<bool>,
    /// By effective customer; each of them has to hold.
    pub customers: Vec<CustomerFilter>,
    /// With an end user, or without one.
    pub is_assigned: Option<bool>,
    /// First seen within that span, whose days are the reseller's.
    pub first_seen: Option<FirstSeen>,
    /// A part of EUI or names, ignoring case.
    pub search: Option<String>,
    /// As they show now.
    pub status: Option<Status>,
    /// Newest first, where nothing else is said.
    pub order: DeviceOrder,
}

/// The live devices that are asked for, with their recent consumption where that is wanted.
pub fn list(
    tx: &mut dyn ReadTx,
    env: &Env,
    query: &DeviceQuery,
    page: Page,
    include_consumption: bool,
) -> AppResult<DeviceList> {
    let filter = filter(tx, query, env.now())?;
    let total = tx.devices_count(&filter)?;
    let devices = tx.devices_page(&filter, query.order, page)?;
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

fn filter(tx: &mut dyn ReadTx, query: &DeviceQuery, now: Timestamp) -> AppResult<DeviceFilter> {
    let first_seen_since = match query.first_seen {
        None => None,
        Some(span) => Some(span.start(now, &calendar_of(tx, None)?)),
    };
    Ok(DeviceFilter {
        is_principal: query.is_principal,
        customers: query.customers.clone(),
        is_assigned: query.is_assigned,
        first_seen_since,
        search: query.search.clone(),
        status: query.status.map(|status| (status, now)),
    })
}
