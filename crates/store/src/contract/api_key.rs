//! API keys and the hashes by which they are found.

use super::failure::{Outcome, assert_refused};
use super::fixtures::{TRICKY, api_key, key_hash};
use super::stage::Stage;

/// Keys come as they were inserted, oldest first, those of the same time by id.
pub async fn list_is_oldest_first(stage: Stage) -> Outcome {
    assert_eq!(stage.acme.keys().await?, []);
    let oldest = api_key(50, TRICKY, 1);
    let low = api_key(2, "low", 2);
    let high = api_key(u128::MAX - 1, "high", 2);
    let newest = api_key(1, "newest", 3);
    for key in [&high, &newest, &oldest, &low] {
        stage.acme.add_key(key).await?;
    }
    assert_eq!(stage.acme.keys().await?, [oldest, low, high, newest]);
    assert_eq!(stage.globex.keys().await?, []);
    Ok(())
}

/// A name is taken within its reseller, and nowhere else.
pub async fn name_is_unique_within_its_reseller(stage: Stage) -> Outcome {
    let first = api_key(1, "default", 1);
    stage.acme.add_key(&first).await?;
    assert_refused(stage.acme.add_key(&api_key(2, "default", 2)).await);
    stage.globex.add_key(&api_key(3, "default", 1)).await?;
    assert_eq!(stage.acme.keys().await?, [first]);
    assert_eq!(stage.globex.keys().await?, [api_key(3, "default", 1)]);
    Ok(())
}

/// A key is deleted once, by its reseller, and its name is free again.
pub async fn delete_says_whether_it_was_there(stage: Stage) -> Outcome {
    let key = api_key(1, "default", 1);
    let id = key.id;
    stage.acme.add_key(&key).await?;
    assert!(!stage.globex.write(move |tx| Ok(tx.api_key_delete(id)?)).await?);
    assert_eq!(stage.acme.keys().await?, [key]);
    let deleted = stage.acme.write(move |tx| Ok([tx.api_key_delete(id)?, tx.api_key_delete(id)?]));
    assert_eq!(deleted.await?, [true, false]);
    stage.acme.add_key(&api_key(2, "default", 2)).await?;
    assert_eq!(stage.acme.keys().await?, [api_key(2, "default", 2)]);
    Ok(())
}

/// A published key is found by its hash; an unknown hash finds none.
pub async fn published_hash_finds_its_key(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let (ours, theirs) = (api_key(1, "default", 1), api_key(2, "default", 1));
    let (our_id, their_id) = (ours.id, theirs.id);
    stage
        .administer(move |tx| {
            tx.scoped(acme)?.api_key_insert(&ours)?;
            tx.api_key_publish(&key_hash(1), acme, ours.id)?;
            tx.scoped(globex)?.api_key_insert(&theirs)?;
            Ok(tx.api_key_publish(&key_hash(2), globex, theirs.id)?)
        })
        .await?;
    let owners = stage.authenticate(|tx| {
        Ok([1, 2, 3]
            .into_iter()
            .map(|number| tx.api_key_owner(&key_hash(number)))
            .collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(owners.await?, [Some((acme, our_id)), Some((globex, their_id)), None]);
    Ok(())
}

/// A withdrawn key is found by none of its hashes; nobody withdraws another reseller's.
pub async fn withdrawn_key_is_found_no_more(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let (key, other) = (api_key(1, "default", 1), api_key(2, "other", 1));
    let (id, other_id) = (key.id, other.id);
    let found = stage.administer(move |tx| {
        let scoped = tx.scoped(acme)?;
        scoped.api_key_insert(&key)?;
        scoped.api_key_insert(&other)?;
        tx.api_key_publish(&key_hash(1), acme, id)?;
        tx.api_key_publish(&key_hash(2), acme, id)?;
        tx.api_key_publish(&key_hash(3), acme, other_id)?;
        tx.api_key_withdraw(globex, id)?;
        Ok(tx.api_key_owner(&key_hash(1))?)
    });
    assert_eq!(found.await?, Some((acme, id)), "another reseller withdrew it");
    let found = stage.administer(move |tx| {
        tx.api_key_withdraw(acme, id)?;
        Ok([1, 2, 3]
            .into_iter()
            .map(|number| tx.api_key_owner(&key_hash(number)))
            .collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(found.await?, [None, None, Some((acme, other_id))]);
    Ok(())
}
