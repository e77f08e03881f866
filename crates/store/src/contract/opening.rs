//! Readings of a period, with the one before them.

use weir_domain::{Battery, DeviceKey, Reading, Timestamp};

use super::failure::Outcome;
use super::fixtures::{BEGINNING, END, at, device, reading};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::Span;

async fn between(
    tenant: &Tenant,
    device: DeviceKey,
    from: Timestamp,
    until: Timestamp,
) -> Outcome<Vec<Reading>> {
    let span = Span { device, from, until };
    let (alone, among) = tenant
        .read(move |tx| {
            let among = tx.readings_with_openings(&[span, Span { until: from, ..span }, span])?;
            Ok((tx.readings_with_opening(span)?, among))
        })
        .await?;
    assert_eq!(among.len(), 3);
    assert_eq!((&among[0], &among[2]), (&alone, &alone), "a span among others");
    assert_eq!(among[1], alone.iter().copied().filter(|one| one.time < from).collect::<Vec<_>>());
    Ok(alone)
}

/// A period has its first moment and not its last; the last reading before it comes in front.
pub async fn period_comes_with_the_reading_before(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let other = stage.acme.register(&device(2)).await?;
    let battery = Some(Battery::from_microvolts(3_600_000));
    let all = [
        reading(10, 100),
        Reading { battery, ..reading(20, 50) },
        reading(20, 60),
        reading(30, 70),
        reading(30, 80),
        reading(40, 90),
    ];
    stage.acme.append(key, &all).await?;
    stage.acme.append(other, &[reading(5, 1), reading(25, 2), reading(35, 3)]).await?;
    let just = |second| Timestamp::from_micros(at(second).micros() + 1);
    for (from, until, expected) in [
        (BEGINNING, END, &all[..]),
        (at(10), at(41), &all[..]),
        (at(20), at(40), &all[..5]),
        (at(30), at(40), &all[2..5]),
        (just(20), at(30), &all[2..3]),
        (just(20), just(30), &all[2..5]),
        (at(40), at(50), &all[4..]),
        (at(50), END, &all[5..]),
        (at(0), at(10), &all[..0]),
        (at(0), just(10), &all[..1]),
    ] {
        let found = between(&stage.acme, key, from, until).await?;
        assert_eq!(found, expected, "from {from} until {until}");
    }
    Ok(())
}

/// Where a period is empty, the reading before it is all there is; where there is none, nothing is.
pub async fn of_an_empty_period_is_all_there_is(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    assert_eq!(between(&stage.acme, key, BEGINNING, END).await?, []);
    stage.acme.append(key, &[reading(10, 9), reading(10, 7), reading(30, 8)]).await?;
    assert_eq!(between(&stage.acme, key, at(15), at(20)).await?, [reading(10, 9)]);
    assert_eq!(between(&stage.acme, key, at(20), at(20)).await?, [reading(10, 9)]);
    assert_eq!(between(&stage.acme, key, at(5), at(8)).await?, []);
    assert_eq!(between(&stage.acme, DeviceKey(-1), BEGINNING, END).await?, []);
    assert_eq!(between(&stage.globex, key, BEGINNING, END).await?, []);
    Ok(())
}

/// A period of very many readings comes whole, and of a deleted device too.
pub async fn long_period_comes_whole(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let all: Vec<_> = (0..5_000).map(|n| reading(n * 40_000, n)).collect();
    stage.acme.append(key, &all).await?;
    stage.acme.soft_delete(1, 9).await?;
    let found = between(&stage.acme, key, at(1), END).await?;
    assert_eq!(found, all);
    Ok(())
}
