//! The quota: what is used, and what nodes hold leases on.

use weir_domain::quota::QuotaFacts;
use weir_domain::{Month, Reseller};

use super::failure::Outcome;
use super::fixtures::{MONTH, reseller, spool};
use super::race::{Race, crowd};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::WriteTx;

const LIMIT: i64 = 100_000;

const fn facts(used: i64, leased: i64) -> QuotaFacts {
    QuotaFacts { limit: LIMIT, used, leased }
}

async fn lease(tenant: &Tenant, number: u128, amount: i64) -> Outcome {
    tenant.write(move |tx| Ok(tx.quota_lease(MONTH, spool(number), amount)?)).await
}

async fn settle(tenant: &Tenant, number: u128, requests: i64) -> Outcome {
    tenant.write(move |tx| Ok(tx.quota_settle(MONTH, spool(number), requests)?)).await
}

/// A month begins with nothing used or leased, and its limit is the reseller's as it is now.
pub async fn month_begins_empty(stage: Stage) -> Outcome {
    assert_eq!(stage.acme.facts(MONTH).await?, facts(0, 0));
    let update = Reseller { monthly_quota: 5, ..reseller(stage.acme.id(), "acme") };
    stage.acme.write(move |tx| Ok(tx.reseller_update(&update)?)).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, QuotaFacts { limit: 5, ..facts(0, 0) });
    assert_eq!(stage.globex.facts(MONTH).await?, facts(0, 0));
    Ok(())
}

/// Leases add up, over calls and over spools.
pub async fn leases_add_up(stage: Stage) -> Outcome {
    for (number, amount) in [(1, 10), (2, 100), (1, 1), (3, 0)] {
        lease(&stage.acme, number, amount).await?;
    }
    assert_eq!(stage.acme.facts(MONTH).await?, facts(0, 111));
    Ok(())
}

/// What is settled moves from the spool's own lease to what is used.
pub async fn settling_moves_from_lease_to_used(stage: Stage) -> Outcome {
    lease(&stage.acme, 1, 10).await?;
    lease(&stage.acme, 2, 20).await?;
    settle(&stage.acme, 1, 4).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(4, 26));
    settle(&stage.acme, 2, 20).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(24, 6));
    for (tenant, used) in [(&stage.acme, 24), (&stage.globex, 0)] {
        assert_eq!(tenant.read(|tx| Ok(tx.quota_used(MONTH)?)).await?, used);
    }
    settle(&stage.acme, 1, 0).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(24, 6));
    Ok(())
}

/// A lease never falls below zero, though what is settled beyond it counts in full.
pub async fn lease_never_falls_below_zero(stage: Stage) -> Outcome {
    lease(&stage.acme, 1, 10).await?;
    lease(&stage.acme, 2, 5).await?;
    settle(&stage.acme, 1, 25).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(25, 5));
    lease(&stage.acme, 1, 3).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(25, 8));
    Ok(())
}

/// A spool without a lease settles all the same, and holds none afterwards.
pub async fn settling_needs_no_lease(stage: Stage) -> Outcome {
    settle(&stage.acme, 1, 7).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(7, 0));
    assert_eq!(stage.acme.lease_holders().await?, 0);
    Ok(())
}

/// Months are counted apart.
pub async fn months_are_apart(stage: Stage) -> Outcome {
    let next = Month::from_number(MONTH.number() + 1);
    lease(&stage.acme, 1, 10).await?;
    stage
        .acme
        .write(move |tx| {
            tx.quota_lease(next, spool(1), 3)?;
            Ok(tx.quota_settle(next, spool(1), 2)?)
        })
        .await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(0, 10));
    assert_eq!(stage.acme.facts(next).await?, facts(2, 1));
    Ok(())
}

/// A spool holds leases from its first one, an empty one too, until they end; one holder is one
/// spool, however many months it leased.
pub async fn holders_are_spools(stage: Stage) -> Outcome {
    let next = Month::from_number(MONTH.number() + 1);
    assert_eq!(stage.acme.lease_holders().await?, 0);
    lease(&stage.acme, 1, 0).await?;
    stage.acme.write(move |tx| Ok(tx.quota_lease(next, spool(1), 5)?)).await?;
    assert_eq!(stage.acme.lease_holders().await?, 1);
    lease(&stage.acme, 2, 5).await?;
    settle(&stage.acme, 2, 5).await?;
    assert_eq!(stage.acme.lease_holders().await?, 2, "a lease that is used up is still held");
    assert_eq!(stage.globex.lease_holders().await?, 0);
    Ok(())
}

/// Ending a spool's leases gives all months back, keeps what is used, and touches no other spool and
/// no other reseller.
pub async fn leases_end_for_one_spool_and_all_months(stage: Stage) -> Outcome {
    let next = Month::from_number(MONTH.number() + 1);
    for tenant in [&stage.acme, &stage.globex] {
        lease(tenant, 1, 10).await?;
        lease(tenant, 2, 20).await?;
        settle(tenant, 1, 4).await?;
        tenant.write(move |tx| Ok(tx.quota_lease(next, spool(1), 5)?)).await?;
    }
    stage.acme.write(|tx| Ok(tx.quota_leases_end(spool(1))?)).await?;
    stage.acme.write(|tx| Ok(tx.quota_leases_end(spool(9))?)).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(4, 20));
    assert_eq!(stage.acme.facts(next).await?, facts(0, 0));
    assert_eq!(stage.acme.lease_holders().await?, 1);
    assert_eq!(stage.globex.facts(MONTH).await?, facts(4, 26));
    assert_eq!(stage.globex.facts(next).await?, facts(0, 5));
    Ok(())
}

/// What is settled at once is all counted.
pub async fn settling_at_once_loses_nothing(stage: Stage) -> Outcome {
    lease(&stage.acme, 1, 100).await?;
    crowd(16, |turn| settle(&stage.acme, 1 + turn as u128 % 2, 1)).await?;
    assert_eq!(stage.acme.facts(MONTH).await?, facts(16, 92));
    Ok(())
}

/// The grants that takers get one after the other.
fn grants(limit: i64, takers: usize) -> Vec<i64> {
    let mut facts = QuotaFacts { limit, used: 0, leased: 0 };
    let mut grants: Vec<_> = std::iter::repeat_with(|| {
        let grant = facts.grant();
        facts.leased += grant;
        grant
    })
    .take(takers)
    .collect();
    grants.sort();
    grants
}

/// Nodes that lease at once get what they would get one after the other: each decides upon facts that
/// nobody changes meanwhile, also after having read before.
pub async fn leasing_at_once_never_exceeds_the_limit(stage: Stage) -> Outcome {
    let limit = 40;
    let update = Reseller { monthly_quota: limit, ..reseller(stage.acme.id(), "acme") };
    stage.acme.write(move |tx| Ok(tx.reseller_update(&update)?)).await?;
    let take = |number| {
        move |tx: &mut dyn WriteTx| {
            let grant = tx.quota_facts(MONTH)?.grant();
            tx.quota_lease(MONTH, spool(number), grant)?;
            Ok(grant)
        }
    };
    let race = Race::default();
    let slower = stage.acme.write({
        let race = race.clone();
        move |tx| {
            tx.reseller()?;
            race.let_rival_pass();
            take(1)(tx)
        }
    });
    let mut taken = race.run(slower, stage.acme.write(take(2))).await?.to_vec();
    taken.extend(crowd(16, |turn| stage.acme.write(take(turn as u128))).await?);
    taken.sort();
    assert_eq!(taken, grants(limit, 18));
    let leased = taken.iter().sum();
    assert_eq!(stage.acme.facts(MONTH).await?, QuotaFacts { limit, used: 0, leased });
    Ok(())
}
