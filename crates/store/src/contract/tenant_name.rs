//! Tenant names, claimed across resellers.

use super::failure::Outcome;
use super::race::crowd;
use super::stage::Stage;

/// A claimed name has its owner; another has none.
pub async fn claim_makes_an_owner(stage: Stage) -> Outcome {
    let acme = stage.acme.id();
    let found = stage.administer(move |tx| {
        let before = tx.tenant_name_owner("büro & söhne")?;
        let claimed = tx.tenant_name_claim("büro & söhne", acme)?;
        Ok((before, claimed, tx.tenant_name_owner("büro & söhne")?))
    });
    assert_eq!(found.await?, (None, true, Some(acme)));
    let others = stage.authenticate(|tx| {
        Ok(["büro & söhn_", "buro & sohne", "büro & söhne ", "%", ""]
            .into_iter()
            .map(|key| tx.tenant_name_owner(key))
            .collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(others.await?, [None; 5]);
    Ok(())
}

/// What another reseller has cannot be claimed; one's own can, and changes nothing.
pub async fn claim_never_takes_from_another(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let claims = stage.administer(move |tx| {
        Ok([
            tx.tenant_name_claim("water", acme)?,
            tx.tenant_name_claim("water", globex)?,
            tx.tenant_name_claim("water", acme)?,
        ])
    });
    assert_eq!(claims.await?, [true, false, true]);
    let again = stage.administer(move |tx| Ok(tx.tenant_name_claim("water", globex)?));
    assert!(!again.await?);
    assert_eq!(stage.authenticate(|tx| Ok(tx.tenant_name_owner("water")?)).await?, Some(acme));
    Ok(())
}

/// A name is released by its owner alone, and free from then on.
pub async fn release_is_the_owners(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let owners = stage.administer(move |tx| {
        tx.tenant_name_claim("water", acme)?;
        tx.tenant_name_claim("beer", acme)?;
        tx.tenant_name_release("water", globex)?;
        let kept = tx.tenant_name_owner("water")?;
        tx.tenant_name_release("water", acme)?;
        Ok([kept, tx.tenant_name_owner("water")?, tx.tenant_name_owner("beer")?])
    });
    assert_eq!(owners.await?, [Some(acme), None, Some(acme)]);
    assert!(stage.administer(move |tx| Ok(tx.tenant_name_claim("water", globex)?)).await?);
    Ok(())
}

/// Of several that claim a name at once, one gets it.
pub async fn claims_at_once_have_one_winner(stage: Stage) -> Outcome {
    let ids = [stage.acme.id(), stage.globex.id()];
    let claims = crowd(8, |turn| {
        let id = ids[turn % 2];
        stage.administer(move |tx| Ok(tx.tenant_name_claim("water", id)?.then_some(id)))
    })
    .await?;
    let owner = stage.authenticate(|tx| Ok(tx.tenant_name_owner("water")?)).await?;
    assert!(owner.is_some());
    for (turn, claim) in claims.into_iter().enumerate() {
        let expected = owner.filter(|owner| *owner == ids[turn % 2]);
        assert_eq!(claim, expected, "claim {turn}, where {owner:?} has the name");
    }
    Ok(())
}
