//! Facts for tests.

use jiff::ToSpan;
use jiff::civil::date;
use uuid::Uuid;
use weir_app::reports::{DailyConsumption, ReportFacts};
use weir_domain::{DeviceId, EndUserId, Eui, Name, ResellerId, Timestamp, Volume};

/// The facts of a report over that many days, one of them in seven without readings.
pub(crate) fn facts(days: i64) -> ReportFacts {
    let first = date(2025, 3, 1);
    let day = |at: i64| DailyConsumption {
        date: first.saturating_add(at.days()),
        consumption: (at % 7 != 5)
            .then(|| Volume::from_millilitres(120_000 + at * 7_919_000 % 431_000)),
    };
    let days: Vec<_> = (0..days).map(day).collect();
    let total: i64 = days.iter().filter_map(|day| day.consumption).map(Volume::millilitres).sum();
    ReportFacts {
        reseller: ResellerId::from_uuid(Uuid::from_u128(1)),
        reseller_name: Name::stored("Aguas del Sur".into()),
        device: DeviceId::from_uuid(Uuid::from_u128(2)),
        dev_eui: Eui::parse("70B3D57ED02A3654").unwrap(),
        device_name: Name::stored("Flat 3B, cold water".into()),
        owner: EndUserId::from_uuid(Uuid::from_u128(3)),
        owner_name: Name::stored("Zoë Núñez".into()),
        owner_email: Some("zoe@example.org".into()),
        customer_name: Some(Name::stored("Residencial Los Álamos".into())),
        period_start: Timestamp::parse("2025-03-01T09:15:00Z").unwrap(),
        period_end: Timestamp::parse("2025-03-31T16:00:00Z").unwrap(),
        timezone: "Europe/Madrid".into(),
        opening: Some(Volume::from_millilitres(812_457_000)),
        closing: Some(Volume::from_millilitres(812_457_000 + total)),
        total: Volume::from_millilitres(total),
        is_reset: false,
        days,
    }
}
