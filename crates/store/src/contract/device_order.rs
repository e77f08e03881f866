//! The orders of lists of devices.

use weir_domain::{Battery, Eui, NewDevice, Telemetry};

use super::failure::Outcome;
use super::fixtures::{
    ANY_DEVICE, EVERYTHING, TRICKY, at, customer, customer_id, device, name, seen_at,
};
use super::stage::Stage;
use super::tenant::{Tenant, numbers};
use crate::{CustomerFilter, DeviceFilter, DeviceOrder, DeviceSort, DeviceState, Page};

const EVERY: [DeviceSort; 6] = [
    DeviceSort::Created,
    DeviceSort::Name,
    DeviceSort::Eui,
    DeviceSort::Customer,
    DeviceSort::Battery,
    DeviceSort::LastReading,
];

const fn up(by: DeviceSort) -> DeviceOrder {
    DeviceOrder { by, is_descending: false }
}

const fn down(by: DeviceSort) -> DeviceOrder {
    DeviceOrder { by, is_descending: true }
}

async fn listed(
    tenant: &Tenant,
    filter: &DeviceFilter,
    order: DeviceOrder,
    page: Page,
) -> Outcome<Vec<u64>> {
    let filter = filter.clone();
    let devices = tenant.read(move |tx| Ok(tx.devices_page(&filter, order, page)?)).await?;
    Ok(numbers(&devices))
}

async fn all(tenant: &Tenant, order: DeviceOrder) -> Outcome<Vec<u64>> {
    listed(tenant, &ANY_DEVICE, order, EVERYTHING).await
}

impl Tenant {
    async fn heard(&self, new: &NewDevice, battery: Option<i32>, read: Option<i64>) -> Outcome {
        let key = self.register(new).await?;
        let Some(mut state) = self.state(key).await? else { return Ok(()) };
        state.telemetry = Telemetry {
            battery: battery.map(Battery::from_microvolts),
            last_reading_at: read.map(at),
            ..seen_at(1_000)
        };
        self.store_state(&DeviceState { ..state }).await
    }
}

/// Names come without regard to case, letter by letter; of the same name, the newest first in both
/// directions.
pub async fn names_ignore_case_as_unicode_has_it(stage: Stage) -> Outcome {
    for (number, called) in [
        (1, "meter 2"),
        (2, "Meter 10"),
        (3, "zähler"),
        (4, "ZÄHLER"),
        (5, "Zahler"),
        (6, "ähre"),
        (7, "Äpfel"),
        (8, "ΟΔΟΣ"),
        (9, "οδος"),
        (10, "ОБЪЕКТ"),
        (11, "вода"),
        (12, "_ 1"),
        (13, "[ 2"),
        (14, TRICKY),
        (15, "🚰"),
        (16, "\u{ffee}"),
        (17, "Zähler"),
    ] {
        stage.acme.register(&NewDevice { name: name(called), ..device(number) }).await?;
    }
    let ascending = [13, 12, 2, 1, 5, 17, 4, 3, 14, 6, 7, 9, 8, 11, 10, 16, 15];
    assert_eq!(all(&stage.acme, up(DeviceSort::Name)).await?, ascending);
    let descending = [15, 16, 10, 11, 9, 8, 7, 6, 14, 17, 4, 3, 5, 1, 2, 12, 13];
    assert_eq!(all(&stage.acme, down(DeviceSort::Name)).await?, descending);
    Ok(())
}

/// EUIs are numbers without a sign, however they are spelt.
pub async fn euis_are_numbers(stage: Stage) -> Outcome {
    let spelled = Eui::parse("00000000000000AB").unwrap_or(Eui::from_bits(0));
    for (number, dev_eui) in [
        (1, Eui::from_bits(u64::MAX)),
        (2, Eui::from_bits(0)),
        (3, Eui::from_bits(1 << 63)),
        (4, spelled),
        (5, Eui::from_bits((1 << 63) - 1)),
        (6, Eui::from_bits(0xaa)),
    ] {
        stage.acme.register(&NewDevice { dev_eui, ..device(number) }).await?;
    }
    assert_eq!(all(&stage.acme, up(DeviceSort::Eui)).await?, [2, 6, 4, 5, 3, 1]);
    assert_eq!(all(&stage.acme, down(DeviceSort::Eui)).await?, [1, 3, 5, 4, 6, 2]);
    Ok(())
}

/// The oldest first are the newest first backwards.
pub async fn oldest_first_is_newest_first_backwards(stage: Stage) -> Outcome {
    for (number, second) in [(1, 10), (2, 20), (3, 10), (4, 5)] {
        stage.acme.register(&NewDevice { created_at: at(second), ..device(number) }).await?;
    }
    assert_eq!(all(&stage.acme, down(DeviceSort::Created)).await?, [2, 3, 1, 4]);
    assert_eq!(all(&stage.acme, up(DeviceSort::Created)).await?, [4, 1, 3, 2]);
    Ok(())
}

/// Seven devices of which some are alike and of some nothing is known.
async fn furnish(tenant: &Tenant) -> Outcome {
    tenant.add_customer(&customer(1, "Äcker")).await?;
    tenant.add_customer(&customer(2, "brook")).await?;
    tenant.add_customer(&customer(3, "BROOK")).await?;
    for (number, of, battery, read) in [
        (1, Some(2), Some(3_600_000), Some(50)),
        (2, None, None, None),
        (3, Some(1), Some(3_100_000), Some(70)),
        (4, Some(3), Some(3_600_000), Some(50)),
        (5, None, Some(-1), None),
        (6, Some(2), None, Some(60)),
        (7, None, Some(3_600_000), None),
    ] {
        let new = NewDevice { customer: of.map(customer_id), ..device(number) };
        tenant.heard(&new, battery, read).await?;
    }
    Ok(())
}

/// What is not known comes last in both directions, and what is alike is newest first in both.
pub async fn unknown_comes_last_and_alike_is_newest_first(stage: Stage) -> Outcome {
    furnish(&stage.acme).await?;
    for (by, ascending, descending) in [
        (DeviceSort::Battery, [5, 3, 7, 4, 1, 6, 2], [7, 4, 1, 3, 5, 6, 2]),
        (DeviceSort::LastReading, [4, 1, 6, 3, 7, 5, 2], [3, 6, 4, 1, 7, 5, 2]),
        (DeviceSort::Customer, [6, 4, 1, 3, 7, 5, 2], [3, 6, 4, 1, 7, 5, 2]),
    ] {
        assert_eq!(all(&stage.acme, up(by)).await?, ascending, "{by:?}");
        assert_eq!(all(&stage.acme, down(by)).await?, descending, "{by:?}");
    }
    Ok(())
}

/// In every order pages join to the whole, and filters leave out what they do not mean.
pub async fn pages_and_filters_keep_the_order(stage: Stage) -> Outcome {
    furnish(&stage.acme).await?;
    stage.acme.soft_delete(7, 9_000).await?;
    stage.globex.register(&device(8)).await?;
    let filters = [
        DeviceFilter { search: Some("meter".into()), ..ANY_DEVICE },
        DeviceFilter { customers: vec![CustomerFilter::Unassociated], ..ANY_DEVICE },
        DeviceFilter { customers: vec![CustomerFilter::Of(customer_id(2))], ..ANY_DEVICE },
        DeviceFilter { is_principal: Some(false), is_assigned: Some(false), ..ANY_DEVICE },
        DeviceFilter { first_seen_since: Some(at(0)), ..ANY_DEVICE },
    ];
    for order in EVERY.into_iter().flat_map(|by| [up(by), down(by)]) {
        let whole = all(&stage.acme, order).await?;
        assert_eq!(whole.len(), 6, "{order:?}");
        let mut joined = Vec::new();
        for offset in (0..8).step_by(2) {
            let page = Page { limit: 2, offset };
            joined.extend(listed(&stage.acme, &ANY_DEVICE, order, page).await?);
        }
        assert_eq!(joined, whole, "{order:?}");
        let far = Page { limit: 9, offset: u64::MAX };
        assert_eq!(listed(&stage.acme, &ANY_DEVICE, order, far).await?, [], "{order:?}");
        for filter in &filters {
            let meant = stage.acme.numbers(filter).await?;
            assert!(!meant.is_empty(), "{filter:?}");
            let kept: Vec<u64> = whole.iter().copied().filter(|n| meant.contains(n)).collect();
            let found = listed(&stage.acme, filter, order, EVERYTHING).await?;
            assert_eq!(found, kept, "{order:?}, {filter:?}");
        }
    }
    Ok(())
}
