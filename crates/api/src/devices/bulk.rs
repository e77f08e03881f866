//! What operations on lists of devices have in common.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_domain::{DeviceId, Refusal};

use crate::fields::{Problems, json};

/// How many devices one request may name.
pub const LENGTH: RangeInclusive<usize> = 1..=1000;

/// Reads the ids of devices.
pub fn device_ids(value: &Value) -> Result<Vec<DeviceId>, Problems> {
    json::list(LENGTH, |id| json::uuid(id).map(DeviceId::from_uuid))(value)
}

/// A device of a list for which it was not done.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FailedDevice {
    /// The device, as it was named.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a14")]
    device_id: Uuid,
    /// An error code.
    #[schema(value_type = String, example = "DEVICE_NOT_FOUND")]
    error: &'static str,
    /// Why not, in a sentence.
    #[schema(example = "No such device.")]
    message: String,
}

impl FailedDevice {
    /// The devices that were refused.
    pub fn all(refused: &[(DeviceId, Refusal)]) -> Vec<Self> {
        let of = |(id, refusal): &(DeviceId, Refusal)| Self {
            device_id: id.uuid(),
            error: refusal.code(),
            message: refusal.to_string(),
        };
        refused.iter().map(of).collect()
    }
}

/// What was done with how many devices, in a sentence.
pub fn tally(done: &str, succeeded: usize, failed: usize) -> String {
    match failed {
        0 => format!("{succeeded} device(s) {done}."),
        _ => format!("{succeeded} device(s) {done}, {failed} failed."),
    }
}
