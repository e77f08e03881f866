//! API keys and the hashes by which they are found.

use weir_domain::{ApiKeyId, Timestamp};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{TRICKY, api_key, at, key_hash};
use super::race::crowd;
use super::stage::Stage;
use super::tenant::Tenant;
use crate::ApiKey;

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

/// Notes when keys were used, as that reseller.
async fn use_keys(tenant: &Tenant, uses: &[(ApiKeyId, i64)]) -> Outcome {
    let uses: Vec<_> = uses.iter().map(|(id, second)| (*id, at(*second))).collect();
    tenant.write(move |tx| Ok(tx.api_keys_used(&uses)?)).await
}

/// When the keys of a reseller were last used.
async fn last_used(tenant: &Tenant) -> Outcome<Vec<Option<Timestamp>>> {
    Ok(tenant.keys().await?.iter().map(|key| key.last_used_at).collect())
}

/// A key was never used before it was; afterwards it was used when it last was, in whatever order that
/// is told. A key that was used before it is inserted is read as inserted.
pub async fn use_is_remembered_and_never_moves_back(stage: Stage) -> Outcome {
    let (first, second) = (api_key(1, "first", 1), api_key(2, "second", 2));
    let third = ApiKey { last_used_at: Some(at(3)), ..api_key(3, "third", 3) };
    for key in [&first, &second, &third] {
        stage.acme.add_key(key).await?;
    }
    assert_eq!(last_used(&stage.acme).await?, [None, None, Some(at(3))]);
    use_keys(&stage.acme, &[(first.id, -9), (third.id, 20)]).await?;
    assert_eq!(last_used(&stage.acme).await?, [Some(at(-9)), None, Some(at(20))]);
    use_keys(&stage.acme, &[(third.id, 19), (first.id, 10), (second.id, 5)]).await?;
    assert_eq!(last_used(&stage.acme).await?, [Some(at(10)), Some(at(5)), Some(at(20))]);
    use_keys(&stage.acme, &[]).await?;
    let used = ApiKey { last_used_at: Some(at(10)), ..first };
    assert_eq!(stage.acme.keys().await?.first(), Some(&used), "the rest of it stays");
    Ok(())
}

/// Keys of others, keys that were deleted and keys that never were are passed over.
pub async fn use_is_noted_of_ones_own_keys_alone(stage: Stage) -> Outcome {
    let (ours, theirs) = (api_key(1, "default", 1), api_key(2, "default", 1));
    stage.acme.add_key(&ours).await?;
    stage.globex.add_key(&theirs).await?;
    let gone = api_key(3, "gone", 1).id;
    stage.acme.add_key(&api_key(3, "gone", 1)).await?;
    assert!(stage.acme.write(move |tx| Ok(tx.api_key_delete(gone)?)).await?);
    let never = api_key(4, "never", 1).id;
    use_keys(&stage.acme, &[(theirs.id, 9), (gone, 9), (ours.id, 9), (never, 9)]).await?;
    assert_eq!(last_used(&stage.acme).await?, [Some(at(9))]);
    assert_eq!(last_used(&stage.globex).await?, [None]);
    use_keys(&stage.stranger(), &[(ours.id, 99)]).await?;
    assert_eq!(last_used(&stage.acme).await?, [Some(at(9))]);
    Ok(())
}

/// Where several nodes note uses at once, the latest is remembered.
pub async fn uses_noted_at_once_keep_the_latest(stage: Stage) -> Outcome {
    let keys = [api_key(1, "one", 1), api_key(2, "two", 2)];
    for key in &keys {
        stage.acme.add_key(key).await?;
    }
    let ids = keys.map(|key| key.id);
    let note = |turn: usize| {
        // In either order, as nodes may come upon them.
        let mut uses = ids.map(|id| (id, (turn as i64 * 7) % 12));
        uses.rotate_left(turn % 2);
        let tenant = stage.acme.clone();
        async move { use_keys(&tenant, &uses).await }
    };
    crowd(12, note).await?;
    assert_eq!(last_used(&stage.acme).await?, [Some(at(11)), Some(at(11))]);
    Ok(())
}
