//! The fleet as a whole.

use jiff::civil::{Date, date};
use weir_domain::consumption::kept::KeptDay;
use weir_domain::{Battery, DeviceKey, Timestamp, Volume};

use super::failure::Outcome;
use super::fixtures::{device, device_id};
use super::stage::Stage;
use super::tenant::{Tenant, edit};
use crate::{DaysOf, FleetDay, KeptSpan};

const HOUR: i64 = 60 * 60 * 1_000_000;

fn kept(number: i8, millilitres: i64, is_reset: bool) -> KeptDay {
    let consumption = Volume::from_millilitres(millilitres);
    KeptDay { date: date(2026, 3, number), consumption, last_reading: consumption, is_reset }
}

fn span(from: i8, until: i8, ahead: i64) -> KeptSpan {
    KeptSpan { from: date(2026, 3, from), until: date(2026, 3, until), ahead }
}

fn day(number: i8, millilitres: i64, meters: u64) -> FleetDay {
    let consumption = Volume::from_millilitres(millilitres);
    FleetDay { date: date(2026, 3, number), consumption, meters }
}

impl Tenant {
    /// Keeps days of a device up to a moment.
    async fn keeps(&self, device: DeviceKey, days: &[KeptDay], until: &str) -> Outcome {
        let mut state = self.state(device).await?.expect("a state");
        state.days_until = Some(Timestamp::parse(until).expect("a moment"));
        self.store_state(&state).await?;
        let (zone, days) = ("UTC".to_owned(), days.to_vec());
        let days = vec![DaysOf { device, zone, from: Date::MIN, days }];
        self.write(move |tx| Ok(tx.days_keep(&days)?)).await
    }

    async fn with_battery(&self, device: DeviceKey, volts: f64) -> Outcome {
        let mut state = self.state(device).await?.expect("a state");
        state.telemetry.battery = Some(Battery::from_volts(volts).expect("volts"));
        self.store_state(&state).await
    }

    async fn days_of_fleet(&self, span: KeptSpan) -> Outcome<Vec<FleetDay>> {
        self.read(move |tx| Ok(tx.fleet_days(span)?)).await
    }
}

/// Days are summed over the live devices at the top, of one reseller.
pub async fn days_are_summed_at_the_top(stage: Stage) -> Outcome {
    let end = "2026-04-01T00:00:00Z";
    for number in 1..=4 {
        let key = stage.acme.register(&device(number)).await?;
        let days = [kept(1, 5, false), kept(2, 10 * number as i64, false), kept(3, 1, false)];
        stage.acme.keeps(key, &days[..if number == 1 { 3 } else { 2 }], end).await?;
    }
    let below = |tx: &mut dyn crate::WriteTx| {
        edit(tx, 3, &mut |device| device.parent = Some(device_id(1)))?;
        edit(tx, 4, &mut |device| device.deleted_at = Some(device.created_at))
    };
    stage.acme.write(below).await?;
    let foreign = stage.globex.register(&device(5)).await?;
    stage.globex.keeps(foreign, &[kept(2, 7, false)], end).await?;
    let all = [day(1, 10, 2), day(2, 30, 2), day(3, 1, 1)];
    assert_eq!(stage.acme.days_of_fleet(span(1, 9, 0)).await?, all);
    assert_eq!(stage.acme.days_of_fleet(span(2, 3, 0)).await?, all[1..2]);
    assert_eq!(stage.globex.days_of_fleet(span(1, 9, 0)).await?, [day(2, 7, 1)]);
    Ok(())
}

/// A day counts that ended, by the clocks that are told, before the moment up to which days are kept.
pub async fn days_count_as_far_as_they_are_kept(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let days = [kept(1, 5, false), kept(2, 6, false)];
    stage.acme.keeps(key, &days, "2026-03-02T23:00:00Z").await?;
    assert_eq!(stage.acme.days_of_fleet(span(1, 9, 0)).await?, [day(1, 5, 1)]);
    assert_eq!(stage.acme.days_of_fleet(span(1, 9, HOUR)).await?, [day(1, 5, 1), day(2, 6, 1)]);
    assert_eq!(stage.acme.days_of_fleet(span(1, 9, -23 * HOUR)).await?, [day(1, 5, 1)]);
    assert_eq!(stage.acme.days_of_fleet(span(1, 9, -24 * HOUR)).await?, []);
    Ok(())
}

/// Sums beyond all measure are no errors.
pub async fn enormous_days_are_summed(stage: Stage) -> Outcome {
    for number in 1..=3 {
        let key = stage.acme.register(&device(number)).await?;
        stage.acme.keeps(key, &[kept(1, i64::MAX / 2, false)], "2026-04-01T00:00:00Z").await?;
    }
    let days = stage.acme.days_of_fleet(span(1, 2, 0)).await?;
    assert_eq!((days.len(), days[0].meters), (1, 3));
    assert_eq!(days[0].consumption, Volume::from_millilitres(i64::MAX));
    Ok(())
}

/// Devices that were reset come once, the latest first.
pub async fn resets_come_latest_first(stage: Stage) -> Outcome {
    let days = [
        vec![kept(1, 5, true), kept(2, 5, true)],
        vec![kept(1, 5, false), kept(4, 5, true)],
        vec![kept(3, 5, false)],
        vec![kept(4, 5, true)],
        vec![kept(9, 5, true)],
    ];
    for (number, days) in (1..).zip(&days) {
        let key = stage.acme.register(&device(number)).await?;
        stage.acme.keeps(key, days, "2026-04-01T00:00:00Z").await?;
    }
    let remove = |tx: &mut dyn crate::WriteTx| {
        edit(tx, 4, &mut |device| device.deleted_at = Some(device.created_at))
    };
    stage.acme.write(remove).await?;
    for (limit, expected) in [(9, vec![device_id(2), device_id(1)]), (1, vec![device_id(2)])] {
        let found = stage.acme.read(move |tx| Ok(tx.fleet_resets(span(1, 9, 0), limit)?)).await?;
        assert_eq!(found, expected);
    }
    let foreign = stage.globex.read(|tx| Ok(tx.fleet_resets(span(1, 9, 0), 9)?)).await?;
    assert_eq!(foreign, []);
    Ok(())
}

/// Batteries are found in either range, by voltage; the ends of ranges are not in them.
pub async fn batteries_are_found_by_range(stage: Stage) -> Outcome {
    for (number, volts) in (1..).zip([3.0, 2.5, 3.2, 12.0, 15.0, 2.0]) {
        let key = stage.acme.register(&device(number)).await?;
        stage.acme.with_battery(key, volts).await?;
    }
    stage.acme.register(&device(7)).await?;
    let find = |tx: &mut dyn crate::ReadTx, limit| {
        let volts = |volts| Battery::from_volts(volts).expect("volts");
        Ok(tx.fleet_batteries([volts(2.5)..volts(3.2), volts(10.0)..volts(15.0)], limit)?)
    };
    let found = stage.acme.read(move |tx| find(tx, 9)).await?;
    assert_eq!(found, [2, 1, 4].map(device_id));
    assert_eq!(stage.acme.read(move |tx| find(tx, 1)).await?, [device_id(2)]);
    assert_eq!(stage.globex.read(move |tx| find(tx, 9)).await?, []);
    Ok(())
}
