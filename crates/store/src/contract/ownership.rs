//! Changes of devices' end users.

use weir_domain::{DeviceId, OwnershipRecord};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{TRICKY, at, device, device_id, end_user_id, ownership, ownership_id};
use super::stage::Stage;
use super::tenant::Tenant;

async fn insert(tenant: &Tenant, records: &[(OwnershipRecord, Option<&str>)]) -> Outcome {
    let records: Vec<_> = records
        .iter()
        .map(|(record, report)| (record.clone(), report.map(str::to_owned)))
        .collect();
    tenant.write(move |tx| Ok(tx.ownership_insert(&records)?)).await
}

async fn records(tenant: &Tenant, device: u64) -> Outcome<Vec<OwnershipRecord>> {
    tenant.read(move |tx| Ok(tx.ownership_by_device(device_id(device))?)).await
}

async fn report(tenant: &Tenant, number: u64) -> Outcome<Option<String>> {
    tenant.read(move |tx| Ok(tx.ownership_report(ownership_id(number))?)).await
}

/// Every field comes back as it was inserted. End users are named, not referred to.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let full = OwnershipRecord {
        previous: Some(end_user_id(1)),
        new: Some(end_user_id(u64::MAX)),
        changed_at: at(9).plus(std::time::Duration::from_micros(1)),
        changed_by: TRICKY.to_owned(),
        has_report: true,
        notes: Some("\n".repeat(3)),
        ..ownership(2, 1, 9)
    };
    insert(&stage.acme, &[(ownership(1, 1, 8), None), (full.clone(), Some("facts"))]).await?;
    assert_eq!(records(&stage.acme, 1).await?, [full, ownership(1, 1, 8)]);
    Ok(())
}

/// The records of a device are newest first, ties by id; deleted devices have theirs as well.
pub async fn records_are_newest_first(stage: Stage) -> Outcome {
    for number in 1..=3 {
        stage.acme.register(&device(number)).await?;
    }
    for (number, of, second) in
        [(5, 1, 20), (9, 1, 10), (2, 1, 30), (7, 1, 20), (3, 2, 90), (6, 1, 20)]
    {
        insert(&stage.acme, &[(ownership(number, of, second), None)]).await?;
    }
    stage.acme.soft_delete(1, 99).await?;
    let ids = |records: Vec<OwnershipRecord>| -> Vec<u64> {
        records.into_iter().map(|record| record.id.uuid().as_u128() as u64).collect()
    };
    assert_eq!(ids(records(&stage.acme, 1).await?), [2, 7, 6, 5, 9]);
    assert_eq!(ids(records(&stage.acme, 2).await?), [3]);
    assert_eq!(ids(records(&stage.acme, 3).await?), []);
    assert_eq!(ids(records(&stage.acme, 77).await?), []);
    Ok(())
}

/// The newest record of each device is found, of very many at once; those without one are left out.
pub async fn newest_of_each_device(stage: Stage) -> Outcome {
    for number in 1..=4 {
        stage.acme.register(&device(number)).await?;
    }
    for (number, of, second) in [(5, 1, 20), (9, 1, 10), (7, 1, 20), (3, 2, 90), (1, 4, 5)] {
        insert(&stage.acme, &[(ownership(number, of, second), None)]).await?;
    }
    let newest = stage.acme.read(|tx| {
        let devices: Vec<DeviceId> = (1..2_000).chain(1..4).map(device_id).collect();
        assert_eq!(tx.ownership_newest(&[])?, []);
        assert_eq!(tx.ownership_newest(&[device_id(3)])?, []);
        Ok(tx.ownership_newest(&devices)?)
    });
    let mut newest = newest.await?;
    newest.sort_by_key(|record| record.device);
    assert_eq!(newest, [ownership(7, 1, 20), ownership(3, 2, 90), ownership(1, 4, 5)]);
    Ok(())
}

/// The facts of a report come back as they were inserted, however long; a record without one has none.
pub async fn report_is_read_as_inserted(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let long = TRICKY.repeat(5_000);
    let reported = |number| OwnershipRecord { has_report: true, ..ownership(number, 1, 9) };
    let all = [
        (reported(1), Some(r#"{"total": "1.5", "owner": "Ada \"O'Neill\""}"#)),
        (reported(2), Some(long.as_str())),
        (reported(3), Some("")),
        (ownership(4, 1, 9), None),
    ];
    insert(&stage.acme, &all).await?;
    for (number, (_, expected)) in (1..).zip(&all) {
        assert_eq!(report(&stage.acme, number).await?.as_deref(), *expected, "of {number}");
    }
    assert_eq!(report(&stage.acme, 9).await?, None);
    Ok(())
}

/// Very many records are inserted at once; one that is there already, or of no device, is refused.
pub async fn many_are_inserted_at_once(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let many: Vec<_> = (1..=1_000)
        .map(|number| {
            let has_report = number % 2 == 0;
            let record = OwnershipRecord { has_report, ..ownership(number, 1, number as i64) };
            (record, has_report.then_some("facts"))
        })
        .collect();
    insert(&stage.acme, &many).await?;
    insert(&stage.acme, &[]).await?;
    let mut found = records(&stage.acme, 1).await?;
    found.reverse();
    assert_eq!(found, many.iter().map(|(record, _)| record.clone()).collect::<Vec<_>>());
    assert_eq!(report(&stage.acme, 500).await?.as_deref(), Some("facts"));
    assert_eq!(report(&stage.acme, 501).await?, None);
    assert_refused(insert(&stage.acme, &[(ownership(1, 1, 9), None)]).await);
    assert_refused(insert(&stage.acme, &[(ownership(2_000, 77, 9), None)]).await);
    assert_eq!(records(&stage.acme, 1).await?.len(), 1_000);
    Ok(())
}

/// A record that promises a report without its facts, or has facts that it does not promise, is
/// refused.
pub async fn report_is_there_exactly_where_it_is_promised(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    let promised = OwnershipRecord { has_report: true, ..ownership(1, 1, 9) };
    assert_refused(insert(&stage.acme, &[(promised, None)]).await);
    assert_refused(insert(&stage.acme, &[(ownership(1, 1, 9), Some("facts"))]).await);
    assert_eq!(records(&stage.acme, 1).await?, []);
    Ok(())
}
