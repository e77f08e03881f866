//! Finished days that are kept.

use jiff::civil::{Date, date};
use weir_domain::consumption::kept::{KeptDay, KeptDays};
use weir_domain::{DeviceKey, Volume};

use super::failure::Outcome;
use super::fixtures::{at, customer, device, end_user, end_user_id};
use super::stage::Stage;
use super::tenant::{Tenant, edit, register};
use crate::{DayZones, DaysOf};

const LISBON: &str = "Europe/Lisbon";

fn day(number: i8, litres: i64) -> KeptDay {
    KeptDay {
        date: date(2026, 3, number),
        consumption: Volume::from_millilitres(litres * 1_000),
        last_reading: Volume::from_millilitres(litres * 2_000),
        is_reset: litres % 2 == 1,
    }
}

fn days_of(device: DeviceKey, zone: &str, from: Date, days: &[KeptDay]) -> DaysOf {
    DaysOf { device, zone: zone.to_owned(), from, days: days.to_vec() }
}

impl Tenant {
    async fn keep(&self, days: Vec<DaysOf>) -> Outcome {
        self.write(move |tx| Ok(tx.days_keep(&days)?)).await
    }

    async fn kept(&self, device: DeviceKey, zone: &str, from: Date) -> Outcome<Option<KeptDays>> {
        let zone = zone.to_owned();
        self.read(move |tx| Ok(tx.days_kept(device, &zone, from)?)).await
    }

    /// Says up to when days are kept.
    async fn days_until(&self, device: DeviceKey, second: i64) -> Outcome {
        let mut state = self.state(device).await?.expect("a state");
        state.days_until = Some(at(second));
        self.store_state(&state).await
    }
}

/// Days come from a date on, oldest first, with the last before it in front.
pub async fn kept_ones_come_with_the_one_before(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let other = stage.acme.register(&device(2)).await?;
    let all = [day(1, 10), day(2, 11), day(5, 0), day(6, 12)];
    let other_days = [day(1, 7), day(5, 8)];
    stage
        .acme
        .keep(vec![
            days_of(key, LISBON, date(2026, 1, 1), &all),
            days_of(other, "UTC", date(2026, 1, 1), &other_days),
        ])
        .await?;
    stage.acme.days_until(key, 70).await?;
    stage.acme.days_until(other, 71).await?;
    for (from, expected) in
        [(1, &all[..]), (2, &all[..]), (3, &all[1..]), (6, &all[2..]), (9, &all[3..])]
    {
        let kept = stage.acme.kept(key, LISBON, date(2026, 3, from)).await?.expect("kept days");
        assert_eq!((kept.until, kept.days.as_slice()), (at(70), expected), "from {from}");
    }
    let kept = stage.acme.kept(other, "UTC", date(2026, 3, 1)).await?.expect("kept days");
    assert_eq!((kept.until, kept.days.as_slice()), (at(71), &other_days[..]));
    Ok(())
}

/// Nothing is kept before something is, nor in another time zone, nor for another reseller.
pub async fn nothing_is_kept_elsewhere(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    let first = date(2026, 1, 1);
    assert_eq!(stage.acme.kept(key, LISBON, first).await?, None);
    stage.acme.days_until(key, 5).await?;
    assert_eq!(stage.acme.kept(key, LISBON, first).await?, None, "no time zone yet");
    stage.acme.keep(vec![days_of(key, LISBON, first, &[day(1, 10)])]).await?;
    assert!(stage.acme.kept(key, LISBON, first).await?.is_some());
    assert_eq!(stage.acme.kept(key, "UTC", first).await?, None);
    assert_eq!(stage.globex.kept(key, LISBON, first).await?, None);
    let hostile = vec![days_of(key, "UTC", first, &[day(2, 3)])];
    let _ = stage.globex.keep(hostile).await;
    let kept = stage.acme.kept(key, LISBON, first).await?.expect("kept days");
    assert_eq!(kept.days, [day(1, 10)], "another reseller changes nothing");
    Ok(())
}

/// From where new days begin, old ones make way; also where there are no new ones.
pub async fn later_ones_make_way(stage: Stage) -> Outcome {
    let key = stage.acme.register(&device(1)).await?;
    stage.acme.days_until(key, 5).await?;
    let first = date(2026, 1, 1);
    stage.acme.keep(vec![days_of(key, "UTC", first, &[day(1, 1), day(2, 2), day(3, 3)])]).await?;
    stage.acme.keep(vec![days_of(key, "UTC", date(2026, 3, 2), &[day(2, 5), day(4, 6)])]).await?;
    let kept = stage.acme.kept(key, "UTC", first).await?.expect("kept days");
    assert_eq!(kept.days, [day(1, 1), day(2, 5), day(4, 6)]);
    stage.acme.keep(vec![days_of(key, LISBON, Date::MIN, &[])]).await?;
    assert_eq!(stage.acme.kept(key, "UTC", first).await?, None);
    assert_eq!(stage.acme.kept(key, LISBON, first).await?.expect("kept days").days, []);
    Ok(())
}

/// A device's time zones are that of its kept days and that of its effective customer.
pub async fn zones_are_those_of_days_and_customer(stage: Stage) -> Outcome {
    let keys = stage
        .acme
        .write(|tx| {
            let mut lakeside = customer(1, "Lakeside");
            lakeside.timezone = Some(LISBON.to_owned());
            tx.customer_insert(&lakeside)?;
            tx.customer_insert(&customer(2, "Hillside"))?;
            tx.end_user_insert(&end_user(1, "Ada", Some(1)))?;
            let keys =
                [register(tx, &device(1))?, register(tx, &device(2))?, register(tx, &device(3))?];
            edit(tx, 2, &mut |device| device.own_customer = Some(super::fixtures::customer_id(2)))?;
            edit(tx, 3, &mut |device| {
                device.own_customer = Some(super::fixtures::customer_id(2));
                device.end_user = Some(end_user_id(1));
            })?;
            Ok(keys)
        })
        .await?;
    stage.acme.keep(vec![days_of(keys[1], "UTC", Date::MIN, &[])]).await?;
    let asked = [keys[0], keys[1], keys[2], DeviceKey(987_654_321)];
    let mut zones = stage.acme.write(move |tx| Ok(tx.day_zones(&asked)?)).await?;
    zones.sort_by_key(|zones| zones.device);
    let zones_of = |device, kept: Option<&str>, customer: Option<&str>| DayZones {
        device,
        kept: kept.map(str::to_owned),
        customer: customer.map(str::to_owned),
    };
    assert_eq!(
        zones,
        [
            zones_of(keys[0], None, None),
            zones_of(keys[1], Some("UTC"), None),
            zones_of(keys[2], None, Some(LISBON)),
        ]
    );
    Ok(())
}
