//! The facts of a report.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use weir_domain::{DeviceId, EndUserId, Eui, Name, ResellerId, Timestamp, Volume};
use weir_store::StoreError;

use crate::{AppError, AppResult};

/// Everything that a report says, as it was when the device changed hands. Names are copied, because
/// they may be changed and their owners deleted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReportFacts {
    /// The reseller.
    pub reseller: ResellerId,
    /// Its name.
    pub reseller_name: Name,
    /// The device.
    pub device: DeviceId,
    /// Its EUI.
    pub dev_eui: Eui,
    /// Its display name.
    pub device_name: Name,
    /// Whose it was.
    pub owner: EndUserId,
    /// The owner's name.
    pub owner_name: Name,
    /// The owner's e-mail.
    pub owner_email: Option<String>,
    /// The name of the customer that the device belonged to.
    pub customer_name: Option<Name>,
    /// When it became theirs.
    pub period_start: Timestamp,
    /// When it ceased to be theirs.
    pub period_end: Timestamp,
    /// The IANA name of the time zone whose days are meant.
    pub timezone: String,
    /// The last cumulative value at or before the start, else the first within the period; none where
    /// nothing was read.
    pub opening: Option<Volume>,
    /// The last cumulative value at or before the end.
    pub closing: Option<Volume>,
    /// What was consumed: closing less opening, where the meter was replaced summed over its pieces.
    pub total: Volume,
    /// Whether the meter was replaced within the period.
    pub is_reset: bool,
    /// One entry for each calendar day that the period touches, oldest first.
    pub days: Vec<DailyConsumption>,
}

/// What was consumed on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DailyConsumption {
    /// The day.
    pub date: Date,
    /// What was consumed; none where nothing was read.
    pub consumption: Option<Volume>,
}

impl ReportFacts {
    /// The text that is stored with the ownership record.
    pub fn to_text(&self) -> AppResult<String> {
        let broken = |error| AppError::Store(StoreError::Broken(format!("a report: {error}")));
        serde_json::to_string(self).map_err(broken)
    }

    /// Reads what was stored.
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}
