//! Finding the report of a record.

use weir_domain::{DeviceId, OwnershipId, Refusal};
use weir_store::{ReadTx, StoreError};

use super::ReportFacts;
use crate::devices::{DeviceRef, find_even_deleted};
use crate::{AppError, AppResult};

/// A report that exists.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The device, soft-deleted or not.
    pub device: DeviceId,
    /// The record that it belongs to.
    pub record: OwnershipId,
    /// What it says.
    pub facts: ReportFacts,
}

/// The report that goes with an ownership record of a device. Works for soft-deleted devices.
///
/// Refused where there is no such device, and where none of its records of that id has a report.
pub fn find(tx: &mut dyn ReadTx, device: DeviceRef, record: OwnershipId) -> AppResult<Report> {
    let device = find_even_deleted(tx, device)?.id;
    let is_its_own = tx.ownership_by_device(device)?.iter().any(|own| own.id == record);
    let text = if is_its_own { tx.ownership_report(record)? } else { None };
    let text = text.ok_or(Refusal::ReportNotFound)?;
    let facts = ReportFacts::from_text(&text).map_err(|error| {
        AppError::Store(StoreError::Corrupt {
            table: "ownership",
            id: record.to_string(),
            reason: error.to_string(),
        })
    })?;
    Ok(Report { device, record, facts })
}
