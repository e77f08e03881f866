//! Finished days are kept, and every day is as its readings make it, kept or not.

use jiff::ToSpan;
use jiff::civil::date;
use weir_app::devices::{self, DeviceRef, LastDays};
use weir_domain::consumption::per_day;
use weir_domain::{Calendar, DeviceKey, Eui, Timestamp};
use weir_store::{Db, Span, StoreError};

use crate::support::{Process, Tenant, at, on_both_stores, reading};

const HOUR: i64 = 60 * 60;
const LISBON: &str = "Europe/Lisbon";

impl Process {
    /// Messages with readings of these hours, each received at that moment, in that order.
    async fn hours(&self, tenant: &Tenant, received_hour: i64, hours: impl Iterator<Item = i64>) {
        for hour in hours {
            let body = reading(tenant, 1, hour * HOUR);
            self.send(tenant, at(received_hour * HOUR), body).await.unwrap();
        }
        self.settled().await;
    }
}

/// Of how many days before an hour's own the days are kept, in a time zone.
async fn kept(db: &Db, tenant: &Tenant, device: DeviceKey, zone: &'static str) -> Option<usize> {
    let days = db.read::<_, StoreError>(tenant.scope(), move |tx| {
        let kept = tx.days_kept(device, zone, date(2026, 1, 1))?;
        let calendar = Calendar::named(zone).unwrap();
        Ok(kept.map(|kept| {
            let open = kept.first_open(&calendar);
            kept.days.iter().filter(|day| day.date < open).count()
        }))
    });
    days.await.unwrap()
}

/// Holds the days that are answered against those that the readings alone give.
async fn check_days(db: &Db, tenant: &Tenant, device: DeviceKey, now: Timestamp) {
    for zone in ["UTC", LISBON, "Asia/Kathmandu"] {
        let (answered, computed) = db
            .read::<_, weir_app::AppError>(tenant.scope(), move |tx| {
                let calendar = Calendar::named(zone).unwrap();
                let asked = LastDays { count: 30, calendar: Some(calendar.clone()) };
                let eui = DeviceRef::Eui(Eui::from_bits(1));
                let answered = devices::consumption_per_day(tx, eui, &asked, now)?.days;
                let (first, last) =
                    (calendar.day_of(now).saturating_sub(29.days()), calendar.day_of(now));
                let (from, until) = (calendar.start_of(first), calendar.end_of(last));
                let readings = tx.readings_with_opening(Span { device, from, until })?;
                Ok((answered, per_day(readings, &calendar, first, last)))
            })
            .await
            .unwrap();
        assert_eq!(answered, computed, "{zone}");
        assert!(answered.iter().any(|day| day.consumption.is_some()));
    }
}

on_both_stores! {
    async fn finished_days_are_kept_and_late_readings_change_them(world) {
        let acme = Tenant::create(&world, "Acme", 10_000).await;
        let device = acme.register(1).await;
        let process = world.process(1);
        process.hours(&acme, 20, (0..20).step_by(4)).await;
        assert_eq!(kept(&world.db, &acme, device, "UTC").await, None, "no day is finished");
        check_days(&world.db, &acme, device, at(20 * HOUR)).await;

        process.hours(&acme, 100, (20..100).step_by(4)).await;
        assert_eq!(kept(&world.db, &acme, device, "UTC").await, Some(4));
        check_days(&world.db, &acme, device, at(100 * HOUR)).await;

        // Late, and twice: the third day and the gap after it.
        process.hours(&acme, 101, [50, 61, 50].into_iter()).await;
        check_days(&world.db, &acme, device, at(101 * HOUR)).await;
        process.hours(&acme, 130, [130].into_iter()).await;
        assert_eq!(kept(&world.db, &acme, device, "UTC").await, Some(5));
        check_days(&world.db, &acme, device, at(130 * HOUR)).await;
    }

    async fn days_follow_the_time_zone_of_the_reseller(world) {
        let acme = Tenant::create(&world, "Acme", 10_000).await;
        let device = acme.register(1).await;
        let process = world.process(1);
        process.hours(&acme, 80, (0..80).step_by(5)).await;
        assert_eq!(kept(&world.db, &acme, device, "UTC").await, Some(3));
        acme.change(&world.db, |reseller| reseller.timezone = LISBON.to_owned()).await;
        check_days(&world.db, &acme, device, at(80 * HOUR)).await;
        // What is kept of the old time zone makes way, some days at a time.
        for hour in [105, 130, 155] {
            process.hours(&acme, hour, [hour].into_iter()).await;
            check_days(&world.db, &acme, device, at(hour * HOUR)).await;
        }
        assert_eq!(kept(&world.db, &acme, device, "UTC").await, None);
        assert!(kept(&world.db, &acme, device, LISBON).await.is_some());
    }
}
