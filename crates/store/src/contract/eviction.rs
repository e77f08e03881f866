//! How sightings make way for newer ones.

use weir_domain::Reading;

use super::failure::Outcome;
use super::fixtures::{reading, sighting};
use super::stage::Stage;
use super::tenant::Tenant;

async fn evict(tenant: &Tenant, euis: u64, readings: u64) -> Outcome {
    tenant.write(move |tx| Ok(tx.sightings_evict(euis, readings)?)).await
}

/// What is left: the EUIs, last seen first, each with its readings.
async fn left(tenant: &Tenant) -> Outcome<Vec<(u64, Vec<Reading>)>> {
    let mut left = Vec::new();
    for sighting in tenant.sightings().await? {
        let bits = sighting.dev_eui.bits();
        let readings = tenant.take(bits).await?.map(|(_, readings)| readings);
        left.push((bits, readings.unwrap_or_default()));
    }
    Ok(left)
}

/// The EUIs seen last stay, the others go with their readings.
pub async fn keeps_the_euis_seen_last(stage: Stage) -> Outcome {
    for (bits, seen) in [(1, 30), (2, 10), (3, 40), (4, 20)] {
        stage.acme.sight(&sighting(bits, seen), &[(reading(0, bits as i64), seen)]).await?;
    }
    evict(&stage.acme, 2, 100).await?;
    assert_eq!(stage.acme.read(|tx| Ok(tx.sightings_count()?)).await?, 2);
    assert_eq!(left(&stage.acme).await?, [(3, vec![reading(0, 3)]), (1, vec![reading(0, 1)])]);
    assert_eq!(stage.acme.take(2).await?, None);
    stage.acme.sight(&sighting(2, 50), &[]).await?;
    assert_eq!(left(&stage.acme).await?, [(2, Vec::new())], "its readings did not go with it");
    Ok(())
}

/// The readings received last stay, whatever their own times and whosever they are; an EUI that
/// loses them stays.
pub async fn keeps_the_readings_received_last(stage: Stage) -> Outcome {
    stage.acme.sight(&sighting(1, 30), &[(reading(999, 1), 30)]).await?;
    stage.acme.sight(&sighting(2, 41), &[(reading(1, 2), 41), (reading(998, 3), 29)]).await?;
    stage.acme.sight(&sighting(3, 50), &[(reading(2, 4), 31), (reading(997, 5), 28)]).await?;
    evict(&stage.acme, 100, 2).await?;
    let expected = [(3, vec![reading(2, 4)]), (2, vec![reading(1, 2)]), (1, Vec::new())];
    assert_eq!(left(&stage.acme).await?, expected);
    Ok(())
}

/// Both limits hold together, exactly, and also where everything came in the same moment.
pub async fn keeps_no_more_than_both_limits(stage: Stage) -> Outcome {
    for bits in 1..=5 {
        let readings: Vec<_> = (0..4).map(|n| (reading(n, bits as i64), 7)).collect();
        stage.acme.sight(&sighting(bits, 7), &readings).await?;
    }
    evict(&stage.acme, 3, 5).await?;
    let left = left(&stage.acme).await?;
    assert_eq!(left.len(), 3);
    assert_eq!(left.iter().map(|(_, readings)| readings.len()).sum::<usize>(), 5);
    Ok(())
}

/// Nothing goes while there is room; with no room, everything.
pub async fn takes_nothing_while_there_is_room(stage: Stage) -> Outcome {
    let expected = [(2, vec![reading(2, 20)]), (1, vec![reading(1, 10)])];
    for (euis, readings) in [(2, 2), (3, 3), (u64::MAX, u64::MAX)] {
        stage.acme.sight(&sighting(1, 1), &[(reading(1, 10), 1)]).await?;
        stage.acme.sight(&sighting(2, 2), &[(reading(2, 20), 2)]).await?;
        evict(&stage.acme, euis, readings).await?;
        assert_eq!(left(&stage.acme).await?, expected, "with room for {euis} and {readings}");
    }
    stage.acme.sight(&sighting(1, 1), &[(reading(1, 10), 1)]).await?;
    evict(&stage.acme, 0, 0).await?;
    assert_eq!(left(&stage.acme).await?, []);
    Ok(())
}

/// The limits are each reseller's own: another's sightings neither count nor go.
pub async fn is_the_resellers_own(stage: Stage) -> Outcome {
    for tenant in [&stage.acme, &stage.globex] {
        tenant.sight(&sighting(1, 1), &[(reading(1, 10), 1)]).await?;
        tenant.sight(&sighting(2, 2), &[(reading(2, 20), 2), (reading(3, 30), 2)]).await?;
    }
    evict(&stage.acme, 2, 3).await?;
    evict(&stage.acme, 1, 1).await?;
    let expected = [(2, vec![reading(2, 20), reading(3, 30)]), (1, vec![reading(1, 10)])];
    assert_eq!(left(&stage.globex).await?, expected);
    assert_eq!(left(&stage.acme).await?.len(), 1);
    Ok(())
}
