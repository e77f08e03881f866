//! Sightings of EUIs that nobody registered.

use weir_domain::{Battery, Eui, Reading, Telemetry};

use super::failure::Outcome;
use super::fixtures::{at, full_telemetry, name, reading, seen_at, sighted, sighting};
use super::stage::Stage;
use super::tenant::Tenant;
use crate::{Page, Sighting};

async fn page(tenant: &Tenant, limit: u32, offset: u64) -> Outcome<Vec<u64>> {
    let page = Page { limit, offset };
    let sightings = tenant.read(move |tx| Ok(tx.sightings_page(page)?)).await?;
    Ok(sightings.iter().map(|sighting| sighting.dev_eui.bits()).collect())
}

/// Every field comes back as it was stored, in the list, by EUI and when taken.
pub async fn is_read_as_stored(stage: Stage) -> Outcome {
    let written = "70B3D57ed02A3654";
    let eui = Eui::parse(written).unwrap_or(Eui::from_bits(0));
    let full = Sighting { dev_eui: eui, telemetry: full_telemetry() };
    stage.acme.sight(&full, &[]).await?;
    let lower = Eui::from_bits(eui.bits());
    let by_eui = stage.acme.write(move |tx| Ok(tx.sightings_by_euis(&[lower])?)).await?;
    let listed = stage.acme.sightings().await?;
    let taken = stage.acme.take(eui.bits()).await?;
    assert_eq!(listed, by_eui);
    assert_eq!(listed, std::slice::from_ref(&full));
    assert_eq!(taken, Some((full, Vec::new())));
    // An EUI equals itself in another spelling, so its characters are compared apart.
    for found in listed.iter().chain(&by_eui) {
        assert_eq!(found.dev_eui.to_string(), written);
    }
    Ok(())
}

/// Storing a known EUI replaces what was remembered of it, the spelling too, and keeps its readings.
pub async fn store_replaces_what_was_remembered(stage: Stage) -> Outcome {
    let first = Sighting { dev_eui: Eui::from_bits(0xab), telemetry: full_telemetry() };
    stage.acme.sight(&first, &[(reading(1, 10), 1)]).await?;
    let again = Sighting {
        dev_eui: Eui::parse("00000000000000AB").unwrap_or(Eui::from_bits(0)),
        telemetry: Telemetry { first_seen_at: Some(at(1)), message_count: 2, ..seen_at(9) },
    };
    let other = sighting(0xcd, 5);
    let stored = [other.clone(), again.clone()];
    stage.acme.write(move |tx| Ok(tx.sightings_store(&stored)?)).await?;
    let listed = stage.acme.sightings().await?;
    assert_eq!(listed, [again.clone(), other]);
    assert_eq!(listed[0].dev_eui.to_string(), "00000000000000AB");
    assert_eq!(stage.acme.take(0xab).await?, Some((again, vec![reading(1, 10)])));
    Ok(())
}

/// The last seen comes first; of the same moment, the lowest EUI.
pub async fn last_seen_comes_first_and_ties_by_eui(stage: Stage) -> Outcome {
    let high = 0x8000_0000_0000_0000;
    let sightings = [(high, 5), (3, 9), (u64::MAX, 5), (high - 1, 5), (0, 5), (1, 2)];
    let sightings: Vec<_> = sightings.iter().map(|(bits, at)| sighting(*bits, *at)).collect();
    stage.acme.write(move |tx| Ok(tx.sightings_store(&sightings)?)).await?;
    let acme = &stage.acme;
    assert_eq!(page(acme, 10, 0).await?, [3, 0, high - 1, high, u64::MAX, 1]);
    assert_eq!(page(acme, 2, 1).await?, [0, high - 1]);
    assert_eq!(page(acme, 2, 5).await?, [1]);
    assert_eq!(page(acme, 2, u64::MAX).await?, []);
    assert_eq!(acme.read(|tx| Ok(tx.sightings_count()?)).await?, 6);
    Ok(())
}

/// Of many EUIs, those that are remembered are found.
pub async fn are_found_by_many_euis(stage: Stage) -> Outcome {
    stage.acme.sight(&sighting(7, 1), &[]).await?;
    stage.acme.sight(&sighting(u64::MAX, 1), &[]).await?;
    stage.globex.sight(&sighting(9, 1), &[]).await?;
    let found = stage.acme.write(|tx| {
        // More than any store can take as single parameters.
        let mut euis: Vec<_> = (0..40_000).map(Eui::from_bits).collect();
        euis.push(Eui::from_bits(u64::MAX));
        Ok((tx.sightings_by_euis(&euis)?, tx.sightings_by_euis(&[])?))
    });
    let (mut found, none) = found.await?;
    found.sort_by_key(|sighting| sighting.dev_eui);
    assert_eq!(found, [sighting(7, 1), sighting(u64::MAX, 1)]);
    assert_eq!(none, []);
    Ok(())
}

/// A remembered reading that is there is passed over; others come out oldest first, by volume where
/// the time is the same.
pub async fn readings_are_kept_once_and_in_order(stage: Stage) -> Outcome {
    let battery = Some(Battery::from_microvolts(-3_600_000));
    let first = Reading { battery, ..reading(5, 10) };
    stage.acme.sight(&sighting(1, 9), &[(first, 6), (reading(5, 9), 6), (first, 6)]).await?;
    stage.acme.sight(&sighting(2, 9), &[(reading(5, 10), 6)]).await?;
    let later = [sighted(1, reading(5, 10), 8), sighted(1, reading(4, 99), 9)];
    stage
        .acme
        .write(move |tx| {
            tx.sighting_readings_append(&later)?;
            Ok(tx.sighting_readings_append(&[])?)
        })
        .await?;
    let taken = stage.acme.take(1).await?.map(|(_, readings)| readings);
    assert_eq!(taken, Some(vec![reading(4, 99), reading(5, 9), first]));
    Ok(())
}

/// What is taken is forgotten with its readings; the rest stays.
pub async fn take_forgets(stage: Stage) -> Outcome {
    stage.acme.sight(&sighting(1, 1), &[(reading(1, 10), 1)]).await?;
    stage.acme.sight(&sighting(2, 2), &[(reading(2, 20), 2)]).await?;
    assert_eq!(stage.acme.take(3).await?, None);
    assert_eq!(stage.acme.take(1).await?, Some((sighting(1, 1), vec![reading(1, 10)])));
    assert_eq!(stage.acme.take(1).await?, None);
    assert_eq!(stage.acme.read(|tx| Ok(tx.sightings_count()?)).await?, 1);
    stage.acme.sight(&sighting(1, 3), &[]).await?;
    assert_eq!(stage.acme.take(1).await?, Some((sighting(1, 3), Vec::new())));
    assert_eq!(stage.acme.take(2).await?, Some((sighting(2, 2), vec![reading(2, 20)])));
    Ok(())
}

/// Two resellers that sight the same EUI remember it each for itself.
pub async fn memory_is_the_resellers_own(stage: Stage) -> Outcome {
    let named = |text: &str, second| {
        let telemetry = Telemetry { device_name: Some(name(text)), ..seen_at(second) };
        Sighting { dev_eui: Eui::from_bits(1), telemetry }
    };
    let (ours, theirs) = (named("ours", 1), named("theirs", 2));
    stage.acme.sight(&ours, &[(reading(1, 10), 1)]).await?;
    stage.globex.sight(&theirs, &[(reading(1, 10), 2), (reading(2, 20), 2)]).await?;
    assert_eq!(stage.acme.sightings().await?, std::slice::from_ref(&ours));
    assert_eq!(stage.acme.take(1).await?, Some((ours, vec![reading(1, 10)])));
    assert_eq!(stage.acme.take(1).await?, None);
    assert_eq!(stage.globex.sightings().await?, std::slice::from_ref(&theirs));
    let readings = vec![reading(1, 10), reading(2, 20)];
    assert_eq!(stage.globex.take(1).await?, Some((theirs, readings)));
    Ok(())
}
