//! The reseller itself.

use weir_domain::{Eui, Reseller};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    MONTH, TRICKY, at, device_id, longest_name, name, ownership_id, reading, reseller, reseller_id,
    spool,
};
use super::stage::Stage;

/// Every field comes back as it was inserted.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    let stranger = stage.stranger();
    assert_eq!(stranger.reseller().await?, None, "it is not inserted yet");
    let inserted = Reseller {
        id: stranger.id(),
        name: name(TRICKY),
        slug: "zähler-süd".to_owned(),
        aliases: vec![longest_name()],
        tier: "enterprise".to_owned(),
        monthly_quota: i64::MAX,
        timezone: "America/Argentina/Buenos_Aires".to_owned(),
        is_closing: true,
        created_at: at(7),
    };
    stranger.insert(&inserted).await?;
    assert_eq!(stranger.reseller().await?, Some(inserted));
    Ok(())
}

/// Aliases come in the order of their names, which no locale decides.
pub async fn aliases_come_in_order(stage: Stage) -> Outcome {
    let stranger = stage.stranger();
    let mut expected = reseller(stranger.id(), "initech");
    expected.aliases =
        ["zebra", "Émile", "alpha", "Zürich", "émile", "a b", "ab"].map(name).to_vec();
    stranger.insert(&expected).await?;
    expected.aliases.sort();
    assert_eq!(stranger.reseller().await?, Some(expected));
    Ok(())
}

/// An update stores everything but id and creation time, aliases included, for this reseller alone.
pub async fn update_stores_all_but_id_and_creation(stage: Stage) -> Outcome {
    let globex = stage.globex.reseller().await?;
    let updated = Reseller {
        id: stage.acme.id(),
        name: name("Acme & Söhne"),
        slug: "acme-söhne".to_owned(),
        aliases: vec![name("acme"), name("coyote")],
        tier: "professional".to_owned(),
        monthly_quota: 0,
        timezone: "Europe/Lisbon".to_owned(),
        is_closing: true,
        created_at: at(99),
    };
    let update = updated.clone();
    stage.acme.write(move |tx| Ok(tx.reseller_update(&update)?)).await?;
    let expected = Reseller { created_at: at(0), ..updated };
    assert_eq!(stage.acme.reseller().await?, Some(expected.clone()));

    let bare = Reseller { aliases: Vec::new(), ..expected };
    let update = bare.clone();
    stage.acme.write(move |tx| Ok(tx.reseller_update(&update)?)).await?;
    assert_eq!(stage.acme.reseller().await?, Some(bare));
    assert_eq!(stage.globex.reseller().await?, globex);
    Ok(())
}

/// A reseller is inserted once, and in its own transaction.
pub async fn insert_is_refused_for_another_id_and_for_a_second_time(stage: Stage) -> Outcome {
    let initech = reseller(reseller_id(77), "initech");
    assert_refused(stage.acme.insert(&initech).await);
    assert_refused(stage.stranger().insert(&initech).await);
    assert_refused(stage.acme.insert(&reseller(stage.acme.id(), "acme again")).await);
    let names = [stage.acme.reseller().await?, stage.globex.reseller().await?]
        .map(|found| found.map(|reseller| reseller.name));
    assert_eq!(names, [Some(name("acme")), Some(name("globex"))]);
    Ok(())
}

/// Deleting takes everything of the reseller: what is inserted under the same id is new.
pub async fn delete_takes_everything_of_it(stage: Stage) -> Outcome {
    let untouched = stage.acme.belongings().await?;
    let key = stage.acme.furnish(100).await?;
    stage.acme.write(|tx| Ok(tx.reseller_delete()?)).await?;
    assert_eq!(stage.acme.reseller().await?, None);
    assert_eq!(stage.administer(|tx| Ok(tx.resellers()?)).await?, [stage.globex.id()]);

    stage.acme.insert(&reseller(stage.acme.id(), "acme")).await?;
    assert_eq!(stage.acme.belongings().await?, untouched);
    assert_eq!(stage.acme.readings(key).await?, []);
    assert_eq!(stage.acme.take(102).await?, None);
    let left = stage.acme.read(|tx| {
        let deleted = tx.device_last_deleted_by_eui(Eui::from_bits(103))?;
        let records = tx.ownership_by_device(device_id(100))?;
        Ok((deleted, records, tx.ownership_report(ownership_id(100))?))
    });
    assert_eq!(left.await?, (None, Vec::new(), None));
    Ok(())
}

/// Deleting takes nothing of another reseller.
pub async fn delete_takes_nothing_of_another(stage: Stage) -> Outcome {
    stage.acme.furnish(100).await?;
    stage.globex.furnish(200).await?;
    let before = stage.globex.belongings().await?;
    stage.acme.write(|tx| Ok(tx.reseller_delete()?)).await?;
    assert_eq!(stage.globex.belongings().await?, before);
    let (_, readings) = stage.globex.take(202).await?.unwrap_or_else(|| panic!("it was taken"));
    assert_eq!(readings, [reading(3, 40)]);
    let leases = stage.globex.write(|tx| {
        tx.quota_settle(MONTH, spool(1), 1)?;
        Ok(tx.quota_facts(MONTH)?.leased)
    });
    assert_eq!(leases.await?, 5, "the same spool's lease with the other reseller is gone");
    Ok(())
}

/// The EUIs of a deleted reseller's devices can be claimed again, by anyone.
pub async fn delete_frees_the_euis(stage: Stage) -> Outcome {
    stage.acme.furnish(100).await?;
    stage.acme.write(|tx| Ok(tx.reseller_delete()?)).await?;
    stage.globex.furnish(100).await?;
    assert_eq!(stage.globex.belongings().await?.device_count, 2);
    Ok(())
}

/// The list of resellers is complete and in the order of ids, also after a passage into one of them.
pub async fn list_is_complete_and_by_id(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let (low, high) = (reseller_id(1), reseller_id(u128::MAX - 1));
    stage
        .administer(move |tx| {
            for id in [high, low] {
                tx.scoped(id)?.reseller_insert(&reseller(id, &id.to_string()))?;
            }
            Ok(())
        })
        .await?;
    let lists = stage.administer(move |tx| {
        let before = tx.resellers()?;
        tx.scoped(acme)?;
        Ok([before, tx.resellers()?])
    });
    let mut expected = vec![high, acme, globex, low];
    expected.sort();
    assert_eq!(lists.await?, [expected.clone(), expected]);
    Ok(())
}
