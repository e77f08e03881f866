//! Filters of devices.

use std::time::Duration;

use weir_domain::device::ONLINE_WINDOW;
use weir_domain::{NewDevice, Status, Telemetry};

use super::failure::Outcome;
use super::fixtures::{
    ANY_DEVICE, EVERYTHING, NEWEST_FIRST, at, customer_id, device, end_user_id, seen_at,
};
use super::stage::Stage;
use super::tenant::{number, numbers};
use crate::{CustomerFilter, DeviceFilter, DeviceState, Page};

/// Principal devices and others are told apart.
pub async fn principal_or_not(stage: Stage) -> Outcome {
    for number in 1..=4 {
        let is_principal = number % 2 == 0;
        stage.acme.register(&NewDevice { is_principal, ..device(number) }).await?;
    }
    let filter = |is_principal| DeviceFilter { is_principal: Some(is_principal), ..ANY_DEVICE };
    assert_eq!(stage.acme.numbers(&filter(true)).await?, [4, 2]);
    assert_eq!(stage.acme.numbers(&filter(false)).await?, [3, 1]);
    Ok(())
}

/// Devices are found by their effective customer, and by having none; all that is asked for holds.
pub async fn customer_is_the_effective_one(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let (first, second) = (CustomerFilter::Of(customer_id(1)), CustomerFilter::Of(customer_id(2)));
    let (unknown, none) = (CustomerFilter::Of(customer_id(9)), CustomerFilter::Unassociated);
    for (customers, expected) in [
        (vec![first], vec![4, 1]),
        (vec![second], vec![7, 3, 2]),
        (vec![unknown], vec![]),
        (vec![none], vec![6, 5]),
        (vec![first, first], vec![4, 1]),
        (vec![first, second], vec![]),
        (vec![none, first], vec![]),
        (vec![none, none], vec![6, 5]),
        (vec![], vec![7, 6, 5, 4, 3, 2, 1]),
    ] {
        let filter = DeviceFilter { customers, ..ANY_DEVICE };
        assert_eq!(stage.acme.numbers(&filter).await?, expected, "{filter:?}");
    }
    Ok(())
}

/// Devices with an end user and those without are told apart.
pub async fn assigned_or_not(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let filter = |is_assigned| DeviceFilter { is_assigned: Some(is_assigned), ..ANY_DEVICE };
    assert_eq!(stage.acme.numbers(&filter(true)).await?, [7, 6, 4, 3, 2]);
    assert_eq!(stage.acme.numbers(&filter(false)).await?, [5, 1]);
    stage.acme.edit(7, |device| device.end_user = None).await?;
    stage.acme.edit(1, |device| device.end_user = Some(end_user_id(1))).await?;
    assert_eq!(stage.acme.numbers(&filter(false)).await?, [7, 5]);
    Ok(())
}

/// First seen at that moment or later; what was never seen was not.
pub async fn first_seen_since(stage: Stage) -> Outcome {
    for (number, second) in [(1, Some(10)), (2, Some(20)), (3, None), (4, Some(30))] {
        let key = stage.acme.register(&device(number)).await?;
        let telemetry = second.map_or_else(Telemetry::default, seen_at);
        let state =
            DeviceState { key, status: Status::Online, is_live: true, telemetry, days_until: None };
        stage.acme.store_state(&state).await?;
    }
    let filter = |since| DeviceFilter { first_seen_since: Some(since), ..ANY_DEVICE };
    let moment = Duration::from_micros(1);
    assert_eq!(stage.acme.numbers(&filter(at(0))).await?, [4, 2, 1]);
    assert_eq!(stage.acme.numbers(&filter(at(20))).await?, [4, 2]);
    assert_eq!(stage.acme.numbers(&filter(at(20).plus(moment))).await?, [4]);
    assert_eq!(stage.acme.numbers(&filter(at(31))).await?, []);
    Ok(())
}

/// The status is the one that shows at the moment: a silent device is offline from the 48th hour on.
pub async fn status_is_the_one_that_shows(stage: Stage) -> Outcome {
    let moment = Duration::from_micros(1);
    let now = at(0).plus(ONLINE_WINDOW);
    let seen = [None, Some(at(0)), Some(at(0).plus(moment)), Some(now.plus(moment))];
    let statuses = [Status::Online, Status::Offline, Status::Maintenance];
    let mut number = 0;
    for status in statuses {
        for last_seen_at in seen {
            number += 1;
            let key = stage.acme.register(&device(number)).await?;
            let telemetry = Telemetry { last_seen_at, ..Telemetry::default() };
            let state = DeviceState { key, status, is_live: true, telemetry, days_until: None };
            stage.acme.store_state(&state).await?;
        }
    }
    let all =
        stage.acme.read(|tx| Ok(tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?)).await?;
    for status in statuses {
        for moment in [now.minus(moment), now, now.plus(moment), now.plus(ONLINE_WINDOW)] {
            let mut expected = all.clone();
            expected.retain(|device| device.status_at(moment) == status);
            let filter = DeviceFilter { status: Some((status, moment)), ..ANY_DEVICE };
            assert_eq!(stage.acme.numbers(&filter).await?, numbers(&expected), "{filter:?}");
        }
    }
    Ok(())
}

/// However often a device was heard before it fell silent, it shows and is counted as what it is, also
/// among those of a customer or a kind.
pub async fn silence_is_noticed_after_any_messages(stage: Stage) -> Outcome {
    let hour = |hours: i64| at(hours * 60 * 60);
    stage.acme.found_community().await?;
    // The hours in which each device is heard; what comes first may be older than what was known.
    let heard: [(u64, &[i64]); 6] = [
        (1, &[0, 10, 23]),
        (2, &[0, 10, 25, 26]),
        (3, &[50, 60]),
        (4, &[0, 24, 48, 72]),
        (5, &[30, 5]),
        (6, &[]),
    ];
    for (number, hours) in heard {
        let device = stage.acme.edit(number, |device| device.status = Status::Online).await?;
        for last_seen in hours {
            let telemetry =
                Telemetry { last_seen_at: Some(hour(*last_seen)), ..Telemetry::default() };
            let state = DeviceState {
                key: device.key,
                status: Status::Online,
                is_live: true,
                telemetry,
                days_until: None,
            };
            stage.acme.store_state(&state).await?;
        }
    }
    stage.acme.soft_delete(4, 9).await?;
    let all =
        stage.acme.read(|tx| Ok(tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?)).await?;
    let customer = vec![CustomerFilter::Of(customer_id(1))];
    let kinds = [
        ANY_DEVICE,
        DeviceFilter { is_assigned: Some(false), ..ANY_DEVICE },
        DeviceFilter { is_principal: Some(false), customers: customer, ..ANY_DEVICE },
    ];
    for (kind, hours) in
        kinds.iter().flat_map(|kind| (40..130).step_by(7).map(move |at| (kind, at)))
    {
        let of_kind = stage.acme.numbers(kind).await?;
        for status in [Status::Online, Status::Offline, Status::Maintenance] {
            let mut expected = all.clone();
            expected.retain(|device| {
                device.status_at(hour(hours)) == status && of_kind.contains(&number(device.id))
            });
            let filter = DeviceFilter { status: Some((status, hour(hours))), ..kind.clone() };
            assert_eq!(stage.acme.numbers(&filter).await?, numbers(&expected), "{filter:?}");
        }
    }
    Ok(())
}

/// All that is asked for holds at once, pages follow the filter, and deleted devices are never meant.
pub async fn filters_hold_together(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    for number in [2, 3, 4, 7] {
        let edited = stage
            .acme
            .edit(number, |device| {
                device.is_principal = true;
                device.status = Status::Maintenance;
            })
            .await?;
        let telemetry = seen_at(100);
        let (key, status) = (edited.key, edited.status);
        let state = DeviceState { key, status, is_live: true, telemetry, days_until: None };
        stage.acme.store_state(&state).await?;
    }
    let filter = DeviceFilter {
        is_principal: Some(true),
        customers: vec![CustomerFilter::Of(customer_id(2))],
        is_assigned: Some(true),
        first_seen_since: Some(at(100)),
        search: Some("METER".to_owned()),
        status: Some((Status::Maintenance, at(100))),
    };
    assert_eq!(stage.acme.numbers(&filter).await?, [7, 3, 2]);
    for narrower in [
        DeviceFilter { is_principal: Some(false), ..filter.clone() },
        DeviceFilter { customers: vec![CustomerFilter::Unassociated], ..filter.clone() },
        DeviceFilter { is_assigned: Some(false), ..filter.clone() },
        DeviceFilter { first_seen_since: Some(at(101)), ..filter.clone() },
        DeviceFilter { search: Some("meters".to_owned()), ..filter.clone() },
        DeviceFilter { status: Some((Status::Online, at(100))), ..filter.clone() },
    ] {
        assert_eq!(stage.acme.numbers(&narrower).await?, [], "{narrower:?}");
    }
    let paged = filter.clone();
    let pages = stage.acme.read(move |tx| {
        let mut pages = Vec::new();
        for offset in 0..4 {
            let page = tx.devices_page(&paged, NEWEST_FIRST, Page { limit: 2, offset })?;
            pages.push(numbers(&page));
        }
        Ok(pages)
    });
    assert_eq!(pages.await?, [vec![7, 3], vec![3, 2], vec![2], vec![]]);
    stage.acme.soft_delete(3, 200).await?;
    assert_eq!(stage.acme.numbers(&filter).await?, [7, 2]);
    Ok(())
}
