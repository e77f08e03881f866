//! Changes of a device's end user, and the facts of the reports that go with them.

use weir_domain::{DeviceId, OwnershipId, OwnershipRecord};

use crate::StoreResult;

/// Reads ownership records of the transaction's reseller.
pub trait OwnershipReads {
    /// The records of a device, newest `changed_at` first, ties by id descending.
    fn ownership_by_device(&mut self, device: DeviceId) -> StoreResult<Vec<OwnershipRecord>>;

    /// The newest record of each of these devices (same order as above), in any order; devices
    /// without one are left out.
    fn ownership_newest(&mut self, devices: &[DeviceId]) -> StoreResult<Vec<OwnershipRecord>>;

    /// The facts of the report that goes with a record, as they were inserted.
    fn ownership_report(&mut self, id: OwnershipId) -> StoreResult<Option<String>>;
}

/// Adds ownership records of the transaction's reseller.
pub trait OwnershipWrites {
    /// Inserts records, each with the facts of its report where it has one (`has_report` says so).
    fn ownership_insert(
        &mut self,
        records: &[(OwnershipRecord, Option<String>)],
    ) -> StoreResult<()>;
}
