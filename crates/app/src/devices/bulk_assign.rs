//! Assigning many devices to an end user.

use weir_domain::{Device, DeviceId, EndUserId, Refusal, ownership};
use weir_store::{Scope, WriteTx};

use super::BulkOutcome;
use super::bulk::{distinct, lock_each, reload};
use crate::{AppError, AppResult, Env, end_users};

/// Assigns the live devices among these to an end user, or to nobody, each as
/// [`assign`](super::assign()) does. An id that is repeated counts once.
///
/// A device that is not live fails alone; where there is no such end user, every device fails.
pub fn bulk_assign(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    ids: &[DeviceId],
    to: Option<EndUserId>,
) -> AppResult<BulkOutcome<Device>> {
    tx.lock_device_tree()?; // as assigning does
    let ids = distinct(ids);
    let (devices, missing) = lock_each(tx, &ids)?;
    let to = match to.map(|id| end_users::hold(tx, id)).transpose() {
        Ok(to) => to.map(|counted| counted.end_user),
        Err(AppError::Refused(refusal)) => {
            let failed = ids.into_iter().map(|id| (id, refusal.clone())).collect();
            return Ok(BulkOutcome { succeeded: Vec::new(), failed });
        }
        Err(error) => return Err(error),
    };
    let live: Vec<DeviceId> = devices.iter().map(|device| device.id).collect();
    let decided = devices
        .into_iter()
        .map(|device| {
            let next = ownership::assigned(&device, to.as_ref());
            (device, next)
        })
        .collect();
    crate::ownership::store(tx, scope, env, decided)?;
    let failed = missing.into_iter().map(|id| (id, Refusal::DeviceNotFound)).collect();
    Ok(BulkOutcome { succeeded: reload(tx, &live)?, failed })
}
