//! What can be done with many devices at once.

use std::collections::HashMap;

use weir_app::devices::{self, DeviceRef};
use weir_app::{AppError, AppResult, Env};
use weir_domain::device::ManualStatus;
use weir_domain::{CustomerId, Device, DeviceId, EndUserId, Refusal};
use weir_store::{Scope, WriteTx};

/// A change of many devices, with everything that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Assign them to an end user, or to nobody.
    Assign(Option<EndUserId>),
    /// Give them to a customer.
    Give(CustomerId),
    /// Hang them below a device, or below none.
    Hang(Option<DeviceId>),
    /// Set their status.
    SetStatus(ManualStatus),
    /// Delete them.
    Delete,
}

/// What became of one device.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The device, as it was named.
    pub id: DeviceId,
    /// The device as it was before, where there is such.
    pub device: Option<Device>,
    /// Why it was not done, where it was not.
    pub refusal: Option<Refusal>,
}

impl Change {
    /// Whether reports may have come of it.
    pub const fn hands_over(self) -> bool {
        matches!(self, Self::Assign(_) | Self::Give(_))
    }

    /// Does it, each as doing it alone would, and says what became of each device in the order in which
    /// they were named. Giving to a customer is done for all or refused as a whole.
    pub fn carry_out(
        self,
        tx: &mut dyn WriteTx,
        scope: &Scope,
        env: &Env,
        ids: &[DeviceId],
    ) -> AppResult<Vec<Outcome>> {
        let known = tx.devices_by_ids(ids)?.into_iter().map(|device| (device.id, device));
        let mut known: HashMap<DeviceId, Device> = known.collect();
        let failed = match self {
            Self::Assign(to) => devices::bulk_assign(tx, scope, env, ids, to)?.failed,
            Self::Hang(below) => hang(tx, env, ids, below)?,
            Self::SetStatus(to) => devices::bulk_set_status(tx, env, ids, to)?.failed,
            Self::Delete => devices::bulk_delete(tx, scope, env, ids)?.failed,
            Self::Give(to) => match devices::bulk_assign_customer(tx, scope, env, ids, to) {
                Ok(_) => Vec::new(),
                // It refuses before it changes anything.
                Err(AppError::Refused(refusal)) => refuse_all(ids, &refusal),
                Err(error) => return Err(error),
            },
        };
        let mut failed: HashMap<DeviceId, Refusal> = failed.into_iter().collect();
        let outcome =
            |&id: &DeviceId| Outcome { id, device: known.remove(&id), refusal: failed.remove(&id) };
        Ok(ids.iter().map(outcome).collect())
    }
}

/// Hangs each device below another one; what was refused.
fn hang(
    tx: &mut dyn WriteTx,
    env: &Env,
    ids: &[DeviceId],
    below: Option<DeviceId>,
) -> AppResult<Vec<(DeviceId, Refusal)>> {
    let mut failed = Vec::new();
    for &id in ids {
        match devices::set_parent(tx, env, DeviceRef::Id(id), below) {
            Ok(_) => {}
            // It refuses before it changes anything.
            Err(AppError::Refused(refusal)) => failed.push((id, refusal)),
            Err(error) => return Err(error),
        }
    }
    Ok(failed)
}

/// The refusal of a whole list, for each of its devices: those that are its reason are told apart.
fn refuse_all(ids: &[DeviceId], refusal: &Refusal) -> Vec<(DeviceId, Refusal)> {
    let of = |&id: &DeviceId| match refusal {
        Refusal::DevicesNotFound(missing) if missing.contains(&id) => (id, Refusal::DeviceNotFound),
        _ => (id, refusal.clone()),
    };
    ids.iter().map(of).collect()
}
