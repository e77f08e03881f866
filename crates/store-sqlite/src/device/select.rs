//! Questions about devices whose text never changes.
//!
//! SQLite knows nothing of how many devices there are and would rather walk through all live ones in
//! the order of lists than find a few by their parent and sort them. Where a question is about few, a
//! `+` before `deleted_at` keeps it from the indexes that hold live devices only, and a `CROSS JOIN`
//! keeps the order of the tables.

/// The columns of a device with its effective customer, in the order in which
/// [`row::device`](crate::row::device) takes them.
macro_rules! columns {
    () => {
        "SELECT device.id, device.key, device.dev_eui, device.name, device.status,
                device.is_active, device.end_user_id, device.customer_id,
                device.effective_customer_id, customer.name, device.parent_id, device.is_principal, device.hierarchy_level,
                device.device_name, device.battery_uv, device.last_reading_at,
                device.newest_reading_at, device.first_seen_at, device.last_seen_at,
                device.message_count, device.latitude, device.longitude, device.altitude,
                device.deleted_at, device.created_at, device.updated_at "
    };
}

/// Where the name of a device's effective customer comes from.
macro_rules! joins {
    () => {
        " LEFT JOIN gate.customer AS customer ON customer.id = device.effective_customer_id "
    };
}

macro_rules! select_device {
    ($rest:literal) => {
        concat!(columns!(), "FROM gate.device AS device", joins!(), $rest)
    };
}

/// The columns of a device; where devices come from follows, and then [`JOINS`].
pub(super) const COLUMNS: &str = columns!();

/// What [`COLUMNS`] needs beside devices.
pub(super) const JOINS: &str = joins!();

pub(crate) const BY_ID: &str = select_device!("WHERE device.id = ?1");

pub(crate) const LIVE_BY_EUI: &str = select_device!("WHERE device.live_eui = ?1");

pub(crate) const LAST_DELETED_BY_EUI: &str = select_device!(
    "WHERE device.eui = ?1 AND device.deleted_at IS NOT NULL
     ORDER BY device.deleted_at DESC, device.id DESC LIMIT 1"
);

pub(crate) const CHILDREN: &str = select_device!(
    "WHERE device.parent_id = ?1 AND +device.deleted_at IS NULL
     ORDER BY device.created_at DESC, device.id DESC"
);

/// `UNION` ends the walk where it comes back to a device, should links ever form a circle.
pub(crate) const DESCENDANTS: &str = concat!(
    "WITH RECURSIVE below (id) AS (
         SELECT id FROM gate.device WHERE parent_id = ?1
         UNION
         SELECT child.id FROM below CROSS JOIN gate.device AS child ON child.parent_id = below.id
     ) ",
    select_device!(
        "WHERE device.id IN below AND +device.deleted_at IS NULL
         ORDER BY device.hierarchy_level, device.created_at DESC, device.id DESC"
    )
);

/// A device and all below it, as nodes.
pub(crate) const TREE: &str = "WITH RECURSIVE tree (id, parent_id, hierarchy_level) AS (
         SELECT id, parent_id, hierarchy_level FROM gate.device WHERE id = ?1
         UNION
         SELECT child.id, child.parent_id, child.hierarchy_level
         FROM tree CROSS JOIN gate.device AS child ON child.parent_id = tree.id
     )
     SELECT id, parent_id, hierarchy_level FROM tree";

pub(super) const NODE: &str =
    "SELECT id, parent_id, hierarchy_level FROM gate.device WHERE id = ?1";

pub(crate) const BILLED: &str =
    "SELECT coalesce(sum(devices), 0) FROM gate.fleet_count WHERE is_active = 1";
