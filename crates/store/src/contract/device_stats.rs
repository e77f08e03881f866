//! Counts of devices.

use weir_domain::Status;

use super::failure::Outcome;
use super::fixtures::{at, customer_id, device, end_user_id, seen_at};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::{CustomerFilter, DeviceState, DeviceStats};

async fn stats(tenant: &Tenant, customers: &[CustomerFilter]) -> Outcome<[u64; 4]> {
    let customers = customers.to_vec();
    let stats = tenant.read(move |tx| Ok(tx.devices_stats(&customers, at(20))?)).await?;
    let DeviceStats { total, new, unassociated, unassigned } = stats;
    Ok([total, new, unassociated, unassigned])
}

/// Where there are no devices, every count is zero.
pub async fn of_nothing_are_zero(stage: Stage) -> Outcome {
    stage.globex.found_community().await?;
    assert_eq!(stats(&stage.acme, &[]).await?, [0, 0, 0, 0]);
    let unknown = CustomerFilter::Of(customer_id(1));
    assert_eq!(stats(&stage.acme, &[unknown]).await?, [0, 0, 0, 0]);
    assert_eq!(stage.acme.read(|tx| Ok(tx.devices_billed()?)).await?, 0);
    Ok(())
}

/// Live devices are counted: all, new, without an effective customer, without an end user; of all
/// customers or of some.
pub async fn count_live_devices(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    for (number, second) in [(1, 10), (2, 20), (3, 19), (5, 21), (6, 30)] {
        let key = stage.acme.edit(number, |_| ()).await?.key;
        let telemetry = seen_at(second);
        let state =
            DeviceState { key, status: Status::Online, is_live: true, telemetry, days_until: None };
        stage.acme.store_state(&state).await?;
    }
    let (first, second) = (CustomerFilter::Of(customer_id(1)), CustomerFilter::Of(customer_id(2)));
    let none = CustomerFilter::Unassociated;
    assert_eq!(stats(&stage.acme, &[]).await?, [7, 3, 2, 2]);
    assert_eq!(stats(&stage.acme, &[first]).await?, [2, 0, 0, 1]);
    assert_eq!(stats(&stage.acme, &[second]).await?, [3, 1, 0, 0]);
    assert_eq!(stats(&stage.acme, &[none]).await?, [2, 2, 2, 1]);
    assert_eq!(stats(&stage.acme, &[first, second]).await?, [0, 0, 0, 0]);
    assert_eq!(stats(&stage.acme, &[CustomerFilter::Of(customer_id(9))]).await?, [0, 0, 0, 0]);
    for number in [1, 2, 5] {
        stage.acme.soft_delete(number, 90).await?;
    }
    assert_eq!(stats(&stage.acme, &[]).await?, [4, 1, 1, 0]);
    stage.acme.edit(6, |device| device.end_user = Some(end_user_id(2))).await?;
    assert_eq!(stats(&stage.acme, &[]).await?, [4, 1, 0, 0]);
    assert_eq!(stats(&stage.acme, &[second]).await?, [3, 1, 0, 0]);
    Ok(())
}

/// Billed is what is live and active, whatever its status.
pub async fn billed_are_live_and_active(stage: Stage) -> Outcome {
    for number in 1..=6 {
        stage.acme.register(&device(number)).await?;
    }
    stage.globex.register(&device(10)).await?;
    stage.acme.edit(1, |device| device.is_active = false).await?;
    stage.acme.edit(2, |device| device.status = Status::Maintenance).await?;
    stage.acme.soft_delete(3, 9).await?;
    // Deleted, yet still marked active.
    stage.acme.edit(4, |device| device.deleted_at = Some(at(9))).await?;
    assert_eq!(stage.acme.read(|tx| Ok(tx.devices_billed()?)).await?, 3);
    Ok(())
}
