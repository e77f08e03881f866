//! Devices with the names of their effective customers, as statements.

/// A device, in the order of columns that [`row::device`](crate::row::device) reads.
macro_rules! select_devices {
    ($conditions:literal) => {
        $crate::device::select::select_devices!("", $conditions)
    };
    ($with:literal, $conditions:literal) => {
        concat!(
            $with,
            "SELECT d.key, d.id, d.dev_eui, d.name, d.status, d.is_active, d.end_user_id, \
                 d.customer_id, d.effective_customer_id, c.name, d.parent_id, d.is_principal, d.hierarchy_level, \
                 d.deleted_at, d.created_at, d.updated_at, ",
            $crate::row::telemetry_columns!(),
            " FROM device d \
             LEFT JOIN customer c ON c.reseller_id = d.reseller_id \
                 AND c.id = d.effective_customer_id \
             WHERE d.reseller_id = $1 AND ",
            $conditions
        )
    };
}
pub(super) use select_devices;
