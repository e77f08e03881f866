//! Changing whose devices are.

use weir_domain::ownership::Belonging;
use weir_domain::{Device, OwnershipId, OwnershipRecord, Timestamp};
use weir_store::{Scope, WriteTx};

use crate::reports::{self, ReportFacts};
use crate::{AppResult, Env};

/// Stores whose devices are from now on; the devices are locked and as they were loaded.
///
/// Every change of an end user writes one ownership record, with the facts of the final report of the
/// one who loses the device. A device that stays whose it is is not touched.
pub(crate) fn store(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    decided: Vec<(Device, Belonging)>,
) -> AppResult<()> {
    let now = env.now();
    let (mut changed, mut handed_over) = (Vec::new(), Vec::new());
    for (device, next) in decided {
        if Belonging::of(&device) == next {
            continue;
        }
        let Belonging { end_user, own_customer } = next;
        changed.push(Device { end_user, own_customer, updated_at: now, ..device.clone() });
        if device.end_user != end_user {
            handed_over.push((device, next));
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    let records = records(tx, scope, env, now, handed_over)?;
    tx.devices_store(&changed)?;
    tx.ownership_insert(&records)?;
    Ok(())
}

/// The records of devices that change hands, each with the facts of its report.
fn records(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    now: Timestamp,
    handed_over: Vec<(Device, Belonging)>,
) -> AppResult<Vec<(OwnershipRecord, Option<String>)>> {
    let (devices, next): (Vec<Device>, Vec<Belonging>) = handed_over.into_iter().unzip();
    let facts = reports::facts_of(tx, &devices, now)?;
    let records = devices.iter().zip(next).zip(facts).map(|((device, next), facts)| {
        let text = facts.as_ref().map(ReportFacts::to_text).transpose()?;
        let record = OwnershipRecord {
            id: OwnershipId::from_uuid(env.ids.next(now)),
            device: device.id,
            previous: device.end_user,
            new: next.end_user,
            changed_at: now,
            changed_by: scope.actor().to_owned(),
            has_report: text.is_some(),
            notes: None,
        };
        Ok((record, text))
    });
    records.collect()
}
