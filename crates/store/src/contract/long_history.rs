//! Readings of a device that are more than one block holds, or of more than one month.

use weir_domain::{DeviceKey, Reading, Timestamp, Volume};

use super::failure::Outcome;
use super::fixtures::{END, at, device, reading};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::block::MOST;
use crate::{From, Span};

/// The second with which February began.
const FEBRUARY: i64 = 31 * DAY;

const DAY: i64 = 24 * 60 * 60;

/// More than a few blocks.
const MANY: i64 = 300;

/// Numbers that look random, each below the limit once.
fn shuffled(limit: i64) -> Vec<i64> {
    let mut numbers: Vec<i64> = (0..limit).collect();
    numbers.sort_by_key(|number| (number + 7).wrapping_mul(0x5851_f42d_4c95_7f2d) >> 33);
    numbers
}

fn in_order(readings: &[Reading]) -> Vec<Reading> {
    let mut all = readings.to_vec();
    all.sort_by_key(|reading| (reading.time, reading.volume));
    all
}

/// Holds that these are a device's readings, whichever way they are asked for.
async fn assert_readings(tenant: &Tenant, key: DeviceKey, expected: Vec<Reading>) -> Outcome {
    assert_eq!(tenant.readings(key).await?, expected);
    let newest = tenant.newest(&[key], 24).await?.concat();
    let volumes: Vec<Volume> = expected.iter().map(|reading| reading.volume).collect();
    assert_eq!(newest, volumes[volumes.len().saturating_sub(24)..]);
    let missing = tenant
        .read(move |tx| {
            let mut missing = Vec::new();
            for reading in &expected {
                let Reading { time, volume, .. } = *reading;
                let later = Timestamp::from_micros(time.micros() + 1);
                if !tx.reading_exists(key, time, volume)?
                    || tx.reading_exists(key, later, volume)?
                {
                    missing.push(*reading);
                }
            }
            Ok(missing)
        })
        .await?;
    assert_eq!(missing, []);
    Ok(())
}

/// Readings in any order and any number at a time come to be the same history.
pub async fn any_order_gives_the_same(stage: Stage) -> Outcome {
    let expected: Vec<_> = (0..MANY).map(|n| reading(n * 3_600, n * 10)).collect();
    for (number, at_once) in [(1, 1), (2, 7), (3, 100), (4, 300)] {
        let key = stage.acme.register(&device(number)).await?;
        let order: Vec<_> = shuffled(MANY).into_iter().map(|n| expected[n as usize]).collect();
        for some in order.chunks(at_once) {
            stage.acme.append(key, some).await?;
        }
        // All of them once more change nothing.
        stage.acme.append(key, &order).await?;
        assert_readings(&stage.acme, key, expected.clone()).await?;
    }
    Ok(())
}

/// Readings on both sides of the end of a month are in order and each there once, whichever came
/// first; the first moment of a month is its own.
pub async fn goes_on_over_the_end_of_a_month(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let around: Vec<_> = (-40..40).map(|n| reading(FEBRUARY + n * 60, 1_000 + n)).collect();
    let last = Reading { time: Timestamp::from_micros(at(FEBRUARY).micros() - 1), ..around[39] };
    let (before, after) = around.split_at(40);
    stage.acme.append(key, &after[1..]).await?;
    stage.acme.append(key, &before[..20]).await?;
    stage.acme.append(key, &[after[0], last]).await?;
    stage.acme.append(key, &around).await?;
    assert_readings(&stage.acme, key, in_order(&[&around[..], &[last]].concat())).await?;
    let mut years: Vec<_> = (0..60).map(|n| reading(-n * 30 * DAY, 500 - n)).collect();
    let other = stage.acme.register(&device(2)).await?;
    stage.acme.append(other, &years).await?;
    years.reverse();
    assert_readings(&stage.acme, other, years).await
}

/// What comes late finds its place: in front of all, between others, and behind the end of a full
/// block.
pub async fn late_ones_find_their_place(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let most = MOST as i64;
    let full: Vec<_> = (0..2 * most).map(|n| reading(1_000 + n * 100, n)).collect();
    stage.acme.append(key, &full).await?;
    let mut all = full.clone();
    // In front, each before the last one, until the month's first block has no room; then further.
    for n in 1..=most + 5 {
        all.push(reading(1_000 - n, n));
    }
    // Into the first block's middle, to where two blocks meet, and behind the end.
    let middle = 1_000 + most / 2 * 100;
    let seam = 1_000 + (most - 1) * 100;
    for n in 1..=most {
        all.extend([reading(middle + n, 1), reading(seam + n, 2), reading(50_000 - n, 3)]);
    }
    for late in &all[full.len()..] {
        stage.acme.append(key, &[*late]).await?;
    }
    assert_readings(&stage.acme, key, in_order(&all)).await
}

/// Any number of volumes may be of the same time, and others before and behind them.
pub async fn many_volumes_of_one_time_are_kept(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let volumes = shuffled(MANY);
    let mut all: Vec<_> = volumes.iter().map(|volume| reading(100, *volume)).collect();
    for some in all.chunks(29) {
        stage.acme.append(key, some).await?;
    }
    for other in [reading(101, 5), reading(99, 7), reading(100, MANY), reading(99, 6)] {
        stage.acme.append(key, &[other]).await?;
        all.push(other);
    }
    assert_readings(&stage.acme, key, in_order(&all)).await
}

/// A page begins with any reading, and holds as many as it is asked for, however they are kept.
pub async fn pages_begin_anywhere(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    // Two of each time, over some months; some months have few.
    let times = (0..60).map(|n| n * 3_600).chain((1..8).map(|n| FEBRUARY + n * 20 * DAY));
    let all: Vec<_> = times.flat_map(|second| [reading(second, 1), reading(second, 2)]).collect();
    stage.acme.append(key, &all).await?;
    let pages = stage
        .acme
        .read(move |tx| {
            let mut pages = Vec::new();
            for limit in [1, 5, 33, 70, 1_000] {
                for start in &all {
                    let after = From::After(start.time, start.volume);
                    let page = tx.readings_page(key, after, limit)?;
                    pages.push((page, after, limit));
                    let from = From::Time(start.time);
                    pages.push((tx.readings_page(key, from, limit)?, from, limit));
                }
            }
            Ok(pages.into_iter().map(|page| (page, all.clone())).collect::<Vec<_>>())
        })
        .await?;
    for ((page, from, limit), all) in pages {
        let expected: Vec<_> =
            all.into_iter().filter(|reading| from.admits(reading)).take(limit as usize).collect();
        assert_eq!(page, expected, "{from:?}, at most {limit}");
    }
    Ok(())
}

/// The reading before a period is found in an earlier month, however long ago that was.
pub async fn openings_lie_in_earlier_months(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let other = stage.acme.register(&device(2)).await?;
    let mut all: Vec<_> = (0..80).map(|n| reading(n * 60, n)).collect();
    all.extend([reading(FEBRUARY - 1, 100), reading(FEBRUARY + 400 * DAY, 200)]);
    stage.acme.append(key, &all).await?;
    stage.acme.append(other, &[reading(FEBRUARY + 10, 1)]).await?;
    for (device, from, until, expected) in [
        (key, at(FEBRUARY), at(FEBRUARY + DAY), &all[80..81]),
        (key, at(FEBRUARY + 300 * DAY), at(FEBRUARY + 301 * DAY), &all[80..81]),
        (key, at(FEBRUARY + 300 * DAY), END, &all[80..]),
        (key, at(FEBRUARY + 900 * DAY), END, &all[81..]),
        (key, at(45 * 60), at(FEBRUARY), &all[44..81]),
        (key, at(33 * 60 + 1), at(35 * 60), &all[33..35]),
        (other, at(FEBRUARY), at(FEBRUARY + 10), &[][..]),
    ] {
        let span = Span { device, from, until };
        let found = stage
            .acme
            .read(move |tx| {
                let among = tx.readings_with_openings(&[span, span])?;
                Ok((tx.readings_with_opening(span)?, among))
            })
            .await?;
        assert_eq!(found, (expected.to_vec(), vec![expected.to_vec(); 2]), "{from} to {until}");
    }
    Ok(())
}

/// The newest readings are found over as many months as they are spread over, also where the device is
/// known to have sent just now.
pub async fn newest_lie_in_earlier_months(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let few: Vec<_> = (0..40).map(|n| reading(n * 20 * DAY, n)).collect();
    stage.acme.append(key, &few).await?;
    let missing = || crate::StoreError::Broken("the device is gone".into());
    let mut state = stage.acme.state(key).await?.ok_or_else(missing)?;
    state.telemetry.newest_reading_at = few.last().map(|reading| reading.time);
    stage.acme.store_state(&state).await?;
    assert_readings(&stage.acme, key, few).await
}
