//! Devices.

use weir_domain::hierarchy::Node;
use weir_domain::{
    CustomerId, Device, DeviceId, DeviceKey, Eui, NewDevice, Status, Telemetry, Timestamp,
};

use crate::StoreResult;

/// A part of a longer list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many at most.
    pub limit: u32,
    /// How many to pass over.
    pub offset: u64,
}

/// Which customers' devices are meant, by their effective customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CustomerFilter {
    /// Those of one customer.
    Of(CustomerId),
    /// Those of none.
    Unassociated,
}

/// Which live devices are meant. All that is given has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceFilter {
    /// Principal ones only, or others only.
    pub is_principal: Option<bool>,
    /// By effective customer; each of them has to hold.
    pub customers: Vec<CustomerFilter>,
    /// With an end user, or without one.
    pub is_assigned: Option<bool>,
    /// First seen at that moment or later.
    pub first_seen_since: Option<Timestamp>,
    /// A part of `dev_eui`, `device_name` or `name`, ignoring case (as Unicode has it); `%` and `_`
    /// are plain characters.
    pub search: Option<String>,
    /// With that status as it shows at that moment: a device stored as online whose `last_seen_at` is
    /// not later than the moment less 48 hours shows as offline.
    pub status: Option<(Status, Timestamp)>,
}

/// By what a list of devices is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DeviceSort {
    /// When they were registered.
    #[default]
    Created,
    /// Their names, ignoring case (as Unicode has it) and letter by letter, as their code points come.
    Name,
    /// Their EUIs, as numbers.
    Eui,
    /// The names of their effective customers, as names are; those of none come last.
    Customer,
    /// Their batteries; those of which nothing is known come last.
    Battery,
    /// Their last readings; those without one come last.
    LastReading,
}

/// The order of a list of devices. Those that it does not tell apart are newest first, and those that
/// come last do so in both directions. The oldest first are the newest first backwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceOrder {
    /// By what.
    pub by: DeviceSort,
    /// The highest, latest or newest first.
    pub is_descending: bool,
}

impl DeviceOrder {
    /// Newest `created_at` first, ties by id descending: the order of every list that was not asked for
    /// another.
    pub const NEWEST_FIRST: Self = Self { by: DeviceSort::Created, is_descending: true };
}

impl Default for DeviceOrder {
    fn default() -> Self {
        Self::NEWEST_FIRST
    }
}

/// Counts of live devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DeviceStats {
    /// All of them.
    pub total: u64,
    /// Those first seen at the moment asked for or later.
    pub new: u64,
    /// Those without an effective customer.
    pub unassociated: u64,
    /// Those without an end user.
    pub unassigned: u64,
}

/// What messages change about a device.
#[derive(Debug, Clone, PartialEq)]
pub struct DeviceState {
    /// The device.
    pub key: DeviceKey,
    /// Its stored status.
    pub status: Status,
    /// Whether it is live.
    pub is_live: bool,
    /// What its messages said.
    pub telemetry: Telemetry,
    /// Up to which moment its finished days are kept; none before its first reading.
    pub days_until: Option<Timestamp>,
}

/// Reads devices of the transaction's reseller. A device carries its effective customer: its end
/// user's, where it has an end user who belongs to one, else its own.
pub trait DeviceReads {
    /// The device of that id, live or soft-deleted.
    fn device_by_id(&mut self, id: DeviceId) -> StoreResult<Option<Device>>;

    /// The live device that goes by that EUI.
    fn device_live_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>>;

    /// Of the soft-deleted devices that went by that EUI, the one deleted last (ties: the highest id).
    fn device_last_deleted_by_eui(&mut self, eui: Eui) -> StoreResult<Option<Device>>;

    /// The devices of these ids, live or soft-deleted, in any order; others are left out.
    fn devices_by_ids(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>>;

    /// The live devices that go by these EUIs, in any order; others are left out.
    fn devices_live_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Device>>;

    /// Live devices in an order.
    fn devices_page(
        &mut self,
        filter: &DeviceFilter,
        order: DeviceOrder,
        page: Page,
    ) -> StoreResult<Vec<Device>>;

    /// How many live devices are meant.
    fn devices_count(&mut self, filter: &DeviceFilter) -> StoreResult<u64>;

    /// Counts of the live devices of these customers (each filter has to hold).
    fn devices_stats(
        &mut self,
        customers: &[CustomerFilter],
        new_since: Timestamp,
    ) -> StoreResult<DeviceStats>;

    /// How many devices are billed: live and active.
    fn devices_billed(&mut self) -> StoreResult<u64>;

    /// The live devices right below a device, newest `created_at` first, ties by id descending. The
    /// device itself may be soft-deleted.
    fn device_children(&mut self, parent: DeviceId) -> StoreResult<Vec<Device>>;

    /// The live devices at every depth below a device, also below soft-deleted ones between them; by
    /// level, then newest `created_at` first, ties by id descending.
    fn device_descendants(&mut self, root: DeviceId) -> StoreResult<Vec<Device>>;
}

/// Changes devices of the transaction's reseller.
pub trait DeviceWrites {
    /// Lets nobody else change the tree of this reseller's devices until the transaction ends.
    fn lock_device_tree(&mut self) -> StoreResult<()>;

    /// Claims an EUI, among the live devices of all resellers, for this reseller; false where it is
    /// claimed already, by whomever.
    fn eui_claim(&mut self, eui: Eui) -> StoreResult<bool>;

    /// Inserts a live device whose EUI was claimed: status offline, active, nothing heard,
    /// `updated_at` as `created_at`.
    fn device_insert(&mut self, device: &NewDevice) -> StoreResult<DeviceKey>;

    /// The devices of these ids (each named once), live or soft-deleted, in any order; others are left
    /// out. Nobody else changes them until the transaction ends.
    fn devices_locked(&mut self, ids: &[DeviceId]) -> StoreResult<Vec<Device>>;

    /// Stores of each device (named once): name, device name, status, `is_active`, end user, own
    /// customer, parent, `is_principal`, level, `deleted_at` and `updated_at`. Its effective customer
    /// and the rest of its telemetry are not looked at. A device that comes to be live needs the claim
    /// to its EUI before; one that comes to be deleted keeps it until [`DeviceWrites::euis_release`].
    fn devices_store(&mut self, devices: &[Device]) -> StoreResult<()>;

    /// Releases claims of this reseller to EUIs that no live device of it goes by any more.
    fn euis_release(&mut self, euis: &[Eui]) -> StoreResult<()>;

    /// These devices and all below them, at every depth, soft-deleted ones too, each once; in any
    /// order. Unknown ids are left out. The tree has to be locked.
    fn device_tree(&mut self, roots: &[DeviceId]) -> StoreResult<Vec<Node>>;

    /// The devices above a device, from its parent up. The tree has to be locked.
    fn device_ancestors(&mut self, id: DeviceId) -> StoreResult<Vec<Node>>;

    /// Stores the levels of devices, each named once.
    fn device_levels_store(&mut self, levels: &[(DeviceId, u8)]) -> StoreResult<()>;

    /// What messages have changed so far about these devices (each named once), in any order; those
    /// that do not exist for this reseller are left out. Nobody else changes them until the
    /// transaction ends.
    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>>;

    /// Stores status, telemetry and `days_until` of these devices, each named once.
    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()>;

    /// Of these EUIs (each once), those that live devices go by, with the devices; in any order.
    fn device_keys_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<(Eui, DeviceKey)>>;
}
