//! Keys that tokens are signed with.

use super::failure::{Outcome, assert_refused};
use super::fixtures::at;
use super::stage::Stage;
use crate::SigningKey;

fn key(id: &str, second: i64) -> SigningKey {
    SigningKey { id: id.to_owned(), sealed: (0..=255).collect(), created_at: at(second) }
}

async fn keep(stage: &Stage, key: &SigningKey) -> Outcome {
    let key = key.clone();
    stage.sign_in(move |tx| Ok(tx.signing_key_insert(&key)?)).await
}

async fn keys(stage: &Stage) -> Outcome<Vec<SigningKey>> {
    stage.sign_in(|tx| Ok(tx.signing_keys()?)).await
}

/// Keys come as they were kept, oldest first, those of the same time by id, which no locale decides;
/// an id is taken once.
pub async fn list_is_oldest_first(stage: Stage) -> Outcome {
    assert_eq!(keys(&stage).await?, []);
    let expected = [key("z", 1), key("B-2", 2), key("_b", 2), key("a", 2), key("A", 3)];
    for number in [3, 0, 4, 2, 1] {
        keep(&stage, &expected[number]).await?;
    }
    assert_eq!(keys(&stage).await?, expected);
    assert_refused(keep(&stage, &key("a", 9)).await);
    assert_eq!(keys(&stage).await?, expected);
    Ok(())
}

/// A key is forgotten once; others stay.
pub async fn delete_says_whether_it_was_there(stage: Stage) -> Outcome {
    keep(&stage, &key("a", 1)).await?;
    keep(&stage, &key("b", 1)).await?;
    let deleted = stage.sign_in(|tx| Ok(["a", "a", "B"].map(|id| tx.signing_key_delete(id))));
    assert_eq!(deleted.await?, [Ok(true), Ok(false), Ok(false)]);
    assert_eq!(keys(&stage).await?, [key("b", 1)]);
    Ok(())
}
