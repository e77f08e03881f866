//! What a month costs: tiers of devices, in decimal money.

use std::collections::BTreeMap;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::Deserialize;

/// The tier of a new reseller.
pub const FIRST_TIER: &str = "starter";

/// A subscription tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// How many devices the base cost covers.
    pub included_devices: u64,
    /// What it costs with no more devices than these.
    pub base_cost: Decimal,
    /// What every further device costs.
    pub per_device: Decimal,
}

/// The tiers there are, and the currency of their costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tiers {
    currency: String,
    by_name: BTreeMap<String, Tier>,
}

/// What a reseller is billed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bill {
    /// Its tier.
    pub tier: String,
    /// How many devices count.
    pub active_devices: u64,
    /// How many of them the tier covers at most.
    pub included_devices: u64,
    /// How many are beyond that.
    pub overage_devices: u64,
    /// What the tier costs.
    pub base_cost: Decimal,
    /// What the devices beyond it cost.
    pub overage_cost: Decimal,
    /// Both together.
    pub total_cost: Decimal,
    /// The currency of the costs.
    pub currency: String,
}

/// Why tiers cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotTiers {
    /// A cost below zero, or beyond any sense.
    #[error("the costs of the tier {0:?} must lie between 0 and 1000000000")]
    Cost(String),
    /// Nothing that names a currency.
    #[error("the currency {0:?} is not a code of three capital letters such as EUR")]
    Currency(String),
}

impl Default for Tiers {
    fn default() -> Self {
        let cents = |amount| Decimal::new(amount, 2);
        let tier = |name: &str, included_devices, base_cost, per_device| {
            let (base_cost, per_device) = (cents(base_cost), cents(per_device));
            (name.to_owned(), Tier { included_devices, base_cost, per_device })
        };
        Self {
            currency: "EUR".to_owned(),
            by_name: BTreeMap::from([
                tier(FIRST_TIER, 50, 4_900, 90),
                tier("professional", 500, 29_900, 60),
                tier("enterprise", 5_000, 199_000, 40),
            ]),
        }
    }
}

impl Tiers {
    /// The built-in tiers, with others in their places or beside them, in that currency.
    pub fn with(
        others: impl IntoIterator<Item = (String, Tier)>,
        currency: Option<&str>,
    ) -> Result<Self, NotTiers> {
        let mut tiers = Self::default();
        let sensible = Decimal::ZERO..=Decimal::from(1_000_000_000);
        for (name, tier) in others {
            if ![tier.base_cost, tier.per_device].iter().all(|cost| sensible.contains(cost)) {
                return Err(NotTiers::Cost(name));
            }
            tiers.by_name.insert(name, tier);
        }
        if let Some(currency) = currency {
            if currency.len() != 3 || !currency.bytes().all(|byte| byte.is_ascii_uppercase()) {
                return Err(NotTiers::Currency(currency.to_owned()));
            }
            tiers.currency = currency.to_owned();
        }
        Ok(tiers)
    }

    /// Whether there is a tier of that name.
    pub fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The names of all, cheapest first.
    pub fn names(&self) -> Vec<&str> {
        let mut tiers: Vec<_> = self.by_name.iter().collect();
        tiers.sort_by_key(|(_, tier)| tier.base_cost);
        tiers.into_iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The bill for that many devices; none where there is no tier of that name.
    pub fn bill(&self, tier: &str, active_devices: u64) -> Option<Bill> {
        let Tier { included_devices, base_cost, per_device } = *self.by_name.get(tier)?;
        let overage_devices = active_devices.saturating_sub(included_devices);
        // Each figure is rounded before they are added up, so that the sum is that of what is shown.
        let base_cost = to_cents(base_cost);
        let overage_cost = to_cents(per_device.saturating_mul(overage_devices.into()));
        Some(Bill {
            tier: tier.to_owned(),
            active_devices,
            included_devices,
            overage_devices,
            base_cost,
            overage_cost,
            total_cost: base_cost.saturating_add(overage_cost),
            currency: self.currency.clone(),
        })
    }
}

fn to_cents(amount: Decimal) -> Decimal {
    amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bill: &Bill) -> (u64, String, String) {
        (bill.overage_devices, bill.overage_cost.to_string(), bill.total_cost.to_string())
    }

    #[test]
    fn the_built_in_tiers_cost_what_they_say() {
        let tiers = Tiers::default();
        assert_eq!(tiers.names(), ["starter", "professional", "enterprise"]);
        for (tier, devices, overage, overage_cost, total) in [
            ("starter", 0, 0, "0", "49.00"),
            ("starter", 50, 0, "0", "49.00"),
            ("starter", 51, 1, "0.90", "49.90"),
            ("starter", 53, 3, "2.70", "51.70"),
            ("professional", 501, 1, "0.60", "299.60"),
            ("enterprise", 5_000, 0, "0", "1990.00"),
            ("enterprise", 1_005_000, 1_000_000, "400000.00", "401990.00"),
        ] {
            let bill = tiers.bill(tier, devices).unwrap();
            let expected = (overage, overage_cost.to_owned(), total.to_owned());
            assert_eq!(shown(&bill), expected, "{tier} {devices}");
        }
        assert_eq!(tiers.bill("platinum", 1), None);
    }

    #[test]
    fn tiers_are_added_and_replaced() {
        let tier = |base_cost: &str, per_device: &str| Tier {
            included_devices: 1,
            base_cost: base_cost.parse().unwrap(),
            per_device: per_device.parse().unwrap(),
        };
        let others = [("pilot".into(), tier("0", "0.005")), ("starter".into(), tier("5", "1"))];
        let tiers = Tiers::with(others, Some("USD")).unwrap();
        assert_eq!(tiers.names(), ["pilot", "starter", "professional", "enterprise"]);
        assert!(tiers.has("pilot") && !tiers.has("Pilot"));
        // Half a cent is rounded up, and once.
        let pilot = tiers.bill("pilot", 2).unwrap();
        assert_eq!((pilot.overage_cost, pilot.currency.as_str()), ("0.01".parse().unwrap(), "USD"));
        assert_eq!(tiers.bill("pilot", 3).unwrap().overage_cost, "0.01".parse().unwrap());
        assert_eq!(tiers.bill("starter", 3).unwrap().total_cost, "7".parse().unwrap());
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let tier = |cost: &str| Tier {
            included_devices: 1,
            base_cost: Decimal::ZERO,
            per_device: cost.parse().unwrap(),
        };
        for cost in ["-0.01", "1000000000.01"] {
            let refused = Tiers::with([("odd".into(), tier(cost))], None);
            assert_eq!(refused, Err(NotTiers::Cost("odd".into())), "{cost}");
        }
        for currency in ["", "eur", "EURO", "€€€"] {
            assert_eq!(Tiers::with([], Some(currency)), Err(NotTiers::Currency(currency.into())));
        }
    }
}
