//! Readings: adding them and walking through them.

use weir_domain::{Battery, DeviceKey, Reading, Timestamp, Volume};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{BEGINNING, END, at, device, reading, volumes};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::{From, ReadTx};

async fn page(tenant: &Tenant, device: DeviceKey, from: From, limit: u32) -> Outcome<Vec<Reading>> {
    tenant.read(move |tx| Ok(tx.readings_page(device, from, limit)?)).await
}

fn with_battery(reading: Reading, microvolts: i32) -> Reading {
    Reading { battery: Some(Battery::from_microvolts(microvolts)), ..reading }
}

/// A reading that is there is passed over, within a call and in a later one; the first one stays.
pub async fn repeat_is_stored_once(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let (first, second) = (with_battery(reading(1, 10), 3_600_000), reading(2, 20));
    stage.acme.append(key, &[second, first, second, first, second]).await?;
    let repeats = [reading(1, 10), with_battery(second, 1), reading(3, 30)];
    stage.acme.append(key, &repeats).await?;
    stage.acme.append(key, &[]).await?;
    assert_eq!(stage.acme.readings(key).await?, [first, second, reading(3, 30)]);
    Ok(())
}

/// Readings that came in any order are walked by time, and by volume where the time is the same.
pub async fn walk_is_by_time_then_volume(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage
        .acme
        .append(key, &[reading(5, 9), reading(3, 100), reading(5, 10), reading(4, 1)])
        .await?;
    stage.acme.append(key, &[reading(5, 2), reading(1, 50)]).await?;
    let expected = [
        reading(1, 50),
        reading(3, 100),
        reading(4, 1),
        reading(5, 2),
        reading(5, 9),
        reading(5, 10),
    ];
    assert_eq!(stage.acme.readings(key).await?, expected);
    Ok(())
}

/// A walk begins with the time it is given, or right after the reading it is given, there or not.
pub async fn walk_begins_where_it_is_told(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let all = [reading(1, 10), reading(2, 20), reading(2, 21), reading(2, 22), reading(3, 5)];
    stage.acme.append(key, &all).await?;
    let volume = Volume::from_millilitres;
    let just_after = Timestamp::from_micros(at(1).micros() + 1);
    for (from, passed_over) in [
        (From::Time(BEGINNING), 0),
        (From::Time(at(1)), 0),
        (From::Time(just_after), 1),
        (From::Time(at(2)), 1),
        (From::Time(at(4)), 5),
        (From::Time(END), 5),
        (From::After(BEGINNING, volume(0)), 0),
        (From::After(at(1), volume(9)), 0),
        (From::After(at(1), volume(10)), 1),
        (From::After(at(2), volume(20)), 2),
        (From::After(at(2), volume(21)), 3),
        (From::After(at(2), Volume::MAX), 4),
        (From::After(at(3), volume(4)), 4),
        (From::After(at(3), volume(5)), 5),
        (From::After(END, Volume::MAX), 5),
    ] {
        assert_eq!(page(&stage.acme, key, from, 10).await?, all[passed_over..], "from {from:?}");
    }
    Ok(())
}

/// Pages of any size, each begun after the last reading of the one before, join to the whole.
pub async fn pages_join_to_the_whole(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let all: Vec<_> = (0..7).map(|n| reading(n / 3, n)).collect();
    stage.acme.append(key, &all).await?;
    assert_eq!(page(&stage.acme, key, From::Time(BEGINNING), 0).await?, []);
    for limit in [1, 2, 3, 7, 8] {
        let mut walked: Vec<Reading> = Vec::new();
        for _ in 0..=all.len() {
            let from = walked
                .last()
                .map_or(From::Time(BEGINNING), |last| From::After(last.time, last.volume));
            let next = page(&stage.acme, key, from, limit).await?;
            assert!(next.len() <= limit as usize);
            walked.extend(next);
        }
        assert_eq!(walked, all, "in pages of {limit}");
    }
    Ok(())
}

/// The least and the greatest that a meter can send are kept as they are.
pub async fn extremes_are_kept(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let years_1970_to_2100 = [0, 1, 1_262_304_000_000_000, 4_133_980_799_999_999];
    let mut all = Vec::new();
    for micros in [-1].into_iter().chain(years_1970_to_2100) {
        for volume in [Volume::from_millilitres(0), Volume::MAX] {
            all.push(Reading { time: Timestamp::from_micros(micros), volume, battery: None });
        }
    }
    for (reading, microvolts) in all.iter_mut().zip([0, -1, 1_000_000_000, -1_000_000_000]) {
        *reading = with_battery(*reading, microvolts);
    }
    stage.acme.append(key, &all).await?;
    assert_eq!(stage.acme.readings(key).await?, all);
    Ok(())
}

/// More readings than a store takes parameters go in one call.
pub async fn many_are_added_at_once(stage: Stage) -> Outcome {
    let (first, second) =
        (stage.acme.register(&device(1)).await?, stage.acme.register(&device(2)).await?);
    let appended = stage.acme.write(move |tx| {
        let readings: Vec<_> = [first, second]
            .iter()
            .flat_map(|key| (0..10_000).map(|n| (*key, reading(n, n))))
            .collect();
        Ok(tx.readings_append(&readings)?)
    });
    appended.await?;
    for key in [first, second] {
        assert_eq!(stage.acme.readings(key).await?.len(), 10_000);
        let last = page(&stage.acme, key, From::Time(at(9_999)), 10).await?;
        assert_eq!(last, [reading(9_999, 9_999)]);
    }
    Ok(())
}

/// A reading exists by device, time and volume together.
pub async fn exists_by_device_time_and_volume(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let other = stage.acme.register(&device(2)).await?;
    stage.acme.append(key, &[with_battery(reading(1, 10), 5)]).await?;
    let exists = move |tx: &mut dyn ReadTx| {
        let [ten, eleven] = [10, 11].map(Volume::from_millilitres);
        Ok([
            tx.reading_exists(key, at(1), ten)?,
            tx.reading_exists(key, at(1), eleven)?,
            tx.reading_exists(key, at(2), ten)?,
            tx.reading_exists(other, at(1), ten)?,
            tx.reading_exists(DeviceKey(i64::MAX), at(1), ten)?,
        ])
    };
    assert_eq!(stage.acme.read(exists).await?, [true, false, false, false, false]);
    assert_eq!(stage.globex.read(exists).await?, [false; 5], "another reseller sees it");
    Ok(())
}

/// Readings of a device that the reseller does not have are refused or passed over: nobody ever
/// sees them, and what came with them is stored with all or nothing.
pub async fn of_a_strange_device_appear_nowhere(stage: Stage) -> Outcome {
    let ours = stage.acme.register(&device(1)).await?;
    let theirs = stage.globex.register(&device(2)).await?;
    stage.globex.append(theirs, &[reading(1, 10)]).await?;
    for strange in [theirs, DeviceKey(i64::MAX)] {
        let before = stage.acme.readings(ours).await?;
        let own = reading(2, 20 + before.len() as i64);
        let outcome = stage
            .acme
            .write(move |tx| Ok(tx.readings_append(&[(ours, own), (strange, reading(1, 11))])?))
            .await;
        let stored = outcome.is_ok();
        if !stored {
            assert_refused(outcome);
        }
        assert_eq!(stage.acme.readings(ours).await?.contains(&own), stored);
        for tenant in [&stage.acme, &stage.globex] {
            assert!(!tenant.readings(strange).await?.contains(&reading(1, 11)));
            let newest = tenant.newest(&[strange], 9).await?;
            assert!(newest == [volumes([])] || newest == [volumes([10])], "{newest:?}");
        }
    }
    assert_eq!(stage.globex.readings(theirs).await?, [reading(1, 10)]);
    Ok(())
}

/// Another reseller's device has no readings.
pub async fn of_another_resellers_device_are_not_seen(stage: Stage) -> Outcome {
    let key = stage.globex.furnish(100).await?;
    assert_eq!(stage.acme.readings(key).await?, []);
    assert_eq!(stage.acme.newest(&[key], 5).await?, [volumes([])]);
    assert_eq!(stage.globex.readings(key).await?.len(), 2);
    Ok(())
}
