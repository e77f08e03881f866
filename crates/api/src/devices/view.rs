//! A device as callers see it. Operations show different subsets of one set of fields, so each view
//! is made of the smaller one and what it adds.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_domain::{Battery, Device, Timestamp, Volume};

/// The core fields of a device, as registering shows them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeviceCore {
    /// The device's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    id: Uuid,
    /// The Device EUI as it was registered; it compares ignoring case.
    #[schema(
        min_length = 16,
        max_length = 16,
        pattern = "^[0-9a-fA-F]{16}$",
        example = "70b3d57ed02a3654"
    )]
    dev_eui: String,
    /// The display name.
    #[schema(example = "Main meter")]
    name: String,
    /// The name in the uplinks of the device, or the one set by an update: the latest word wins.
    #[schema(example = "meter-b1-main")]
    device_name: Option<String>,
    /// Always `water_meter`.
    #[schema(example = "water_meter")]
    device_type: &'static str,
    /// `online`, `offline` or `maintenance`.
    #[schema(value_type = String, example = "online")]
    status: &'static str,
    /// The battery in volts; null until a reading brings one.
    #[schema(example = 3.6)]
    battery_level: Option<f64>,
    /// The newest reading time.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-03-29T00:59:58.123456+00:00")]
    last_reading_at: Option<Timestamp>,
    /// Whether it counts toward billing.
    #[schema(example = true)]
    is_active: bool,
    /// The device above it.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a11")]
    parent_device_id: Option<Uuid>,
    /// Whether it is a principal meter.
    #[schema(example = false)]
    is_principal: bool,
    /// 0 without a parent, else the parent's level and one; at most 10.
    #[schema(maximum = 10, example = 1)]
    hierarchy_level: u8,
    /// Its effective customer.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Option<Uuid>,
    /// When it was soft-deleted.
    #[schema(value_type = Option<String>, format = DateTime)]
    deleted_at: Option<Timestamp>,
    /// When it was registered.
    #[schema(value_type = String, format = DateTime, example = "2026-03-28T08:00:00+00:00")]
    created_at: Timestamp,
    /// When it was last changed.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T12:00:00+00:00")]
    updated_at: Timestamp,
}

impl DeviceCore {
    /// What a device shows at a moment.
    pub fn of(device: &Device, now: Timestamp) -> Self {
        let telemetry = &device.telemetry;
        Self {
            id: device.id.uuid(),
            dev_eui: device.dev_eui.to_string(),
            name: device.name.to_string(),
            device_name: telemetry.device_name.as_ref().map(ToString::to_string),
            device_type: weir_domain::device::DEVICE_TYPE,
            status: device.status_at(now).as_str(),
            battery_level: telemetry.battery.map(Battery::volts),
            last_reading_at: telemetry.last_reading_at,
            is_active: device.is_active,
            parent_device_id: device.parent.map(weir_domain::DeviceId::uuid),
            is_principal: device.is_principal,
            hierarchy_level: device.hierarchy_level,
            customer_id: device.customer.map(weir_domain::CustomerId::uuid),
            deleted_at: device.deleted_at,
            created_at: device.created_at,
            updated_at: device.updated_at,
        }
    }
}

/// A device with its end user.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeviceWithOwner {
    #[serde(flatten)]
    core: DeviceCore,
    /// The end user it is assigned to.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    end_user_id: Option<Uuid>,
}

impl DeviceWithOwner {
    /// What a device shows at a moment.
    pub fn of(device: &Device, now: Timestamp) -> Self {
        Self {
            core: DeviceCore::of(device, now),
            end_user_id: device.end_user.map(weir_domain::EndUserId::uuid),
        }
    }
}

/// A device with its end user and its position.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LocatedDevice {
    #[serde(flatten)]
    device: DeviceWithOwner,
    /// Where its uplinks say it is, in degrees north.
    #[schema(example = 52.37)]
    latitude: Option<f64>,
    /// In degrees east.
    #[schema(example = 4.91)]
    longitude: Option<f64>,
    /// In metres.
    #[schema(example = 2.0)]
    altitude: Option<f64>,
}

impl LocatedDevice {
    /// What a device shows at a moment.
    pub fn of(device: &Device, now: Timestamp) -> Self {
        let position = device.telemetry.position;
        Self {
            device: DeviceWithOwner::of(device, now),
            latitude: position.latitude,
            longitude: position.longitude,
            altitude: position.altitude,
        }
    }
}

/// A device in the list, with its customer and its activity.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeviceInList {
    #[serde(flatten)]
    device: LocatedDevice,
    /// The name of its effective customer.
    #[schema(example = "Riverside Community")]
    customer_name: Option<String>,
    /// When its first message came.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-03-28T09:00:00+00:00")]
    first_seen_at: Option<Timestamp>,
    /// When its last message came.
    #[schema(value_type = Option<String>, format = DateTime, example = "2026-03-29T01:00:00+00:00")]
    last_seen_at: Option<Timestamp>,
    /// How many messages came.
    #[schema(example = 17)]
    message_count: i64,
    /// The newest cumulative value, 0 before the first; only with `include_consumption`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 123.457)]
    last_consumption_m3: Option<f64>,
    /// The cumulative values of the newest 24 readings, oldest first; only with `include_consumption`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!([123.1, 123.3, 123.457]))]
    consumption_trend: Option<Vec<f64>>,
}

impl DeviceInList {
    /// What a device shows at a moment.
    pub fn of(listed: &weir_app::devices::DeviceInList, now: Timestamp) -> Self {
        let telemetry = &listed.device.telemetry;
        let trend: Option<Vec<f64>> = listed
            .trend
            .as_ref()
            .map(|trend| trend.iter().copied().map(Volume::cubic_metres).collect());
        Self {
            device: LocatedDevice::of(&listed.device, now),
            customer_name: listed.device.customer_name.as_ref().map(ToString::to_string),
            first_seen_at: telemetry.first_seen_at,
            last_seen_at: telemetry.last_seen_at,
            message_count: telemetry.message_count,
            last_consumption_m3: trend.as_ref().map(|trend| trend.last().copied().unwrap_or(0.0)),
            consumption_trend: trend,
        }
    }
}

/// A device that was deleted.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct DeletedDevice {
    /// The device's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10")]
    device_id: Uuid,
    /// When it was deleted.
    #[schema(value_type = String, format = DateTime, example = "2026-03-29T12:00:00+00:00")]
    deleted_at: Timestamp,
}

impl DeletedDevice {
    /// What is shown of it.
    pub fn of(deleted: &weir_app::devices::DeletedDevice) -> Self {
        Self { device_id: deleted.id.uuid(), deleted_at: deleted.at }
    }
}
