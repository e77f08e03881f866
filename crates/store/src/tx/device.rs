//! Devices.

use weir_domain::{Device, DeviceId, DeviceKey, Eui, NewDevice, Status, Telemetry};

use crate::StoreResult;

/// A part of a longer list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many at most.
    pub limit: u32,
    /// How many to pass over.
    pub offset: u64,
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

    /// Live devices, newest `created_at` first, ties by id descending.
    fn devices_page(&mut self, page: Page) -> StoreResult<Vec<Device>>;

    /// How many live devices there are.
    fn devices_count(&mut self) -> StoreResult<u64>;
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

    /// What messages have changed so far about these devices (each named once), in any order; those
    /// that do not exist for this reseller are left out. Nobody else changes them until the
    /// transaction ends.
    fn device_states(&mut self, keys: &[DeviceKey]) -> StoreResult<Vec<DeviceState>>;

    /// Stores status and telemetry of these devices, each named once.
    fn device_states_store(&mut self, states: &[DeviceState]) -> StoreResult<()>;

    /// Of these EUIs (each once), those that live devices go by, with the devices; in any order.
    fn device_keys_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<(Eui, DeviceKey)>>;
}
