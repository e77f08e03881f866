//! The monthly webhook quota and how several nodes share it.
//!
//! A node takes a *lease* on part of what is left of a month, recorded in the store, and accepts
//! uplinks against it without asking again. What it settles moves from its lease to what is used. So
//! `used + all leases ≤ limit` holds at every moment, and the nodes together never exceed it.

/// What a reseller without an agreement of its own may send in a month.
pub const DEFAULT_LIMIT: i64 = 100_000;

/// One reseller's month, as the store knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaFacts {
    /// How many requests a month may hold.
    pub limit: i64,
    /// How many settled requests counted so far.
    pub used: i64,
    /// How many more all nodes together hold leases on.
    pub leased: i64,
}

impl QuotaFacts {
    /// What nobody has used or leased.
    pub fn available(&self) -> i64 {
        (self.limit - self.used - self.leased).max(0)
    }

    /// How much of it a node that asks for a lease gets: an eighth, so that several nodes find
    /// something, and ever less as the limit nears, so that none sits on the last ones.
    pub fn grant(&self) -> i64 {
        match self.available() {
            0 => 0,
            available => (available / 8).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nodes_that_lease_and_settle_use_the_limit_up_and_never_pass_it(
            limit in 0..5_000_i64,
            nodes in proptest::collection::vec(0..4_usize, 1..200),
        ) {
            let mut facts = QuotaFacts { limit, used: 0, leased: 0 };
            let mut leases = [0_i64; 4];
            for node in nodes {
                let grant = facts.grant();
                prop_assert_eq!(grant == 0, facts.available() == 0);
                leases[node] += grant;
                facts.leased += grant;
                let settled = leases[node];
                leases[node] = 0;
                facts.leased -= settled;
                facts.used += settled;
                prop_assert!(facts.used + facts.leased <= limit);
            }
        }
    }

    #[test]
    fn a_lowered_limit_leaves_nothing() {
        let facts = QuotaFacts { limit: 5, used: 7, leased: 0 };
        assert_eq!((facts.available(), facts.grant()), (0, 0));
    }
}
