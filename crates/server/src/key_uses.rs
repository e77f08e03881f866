//! Noting which API keys are used: once a minute while the service runs, and when it stops.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, timeout};
use weir_app::Env;
use weir_app::credentials::Keyring;

/// How often it is noted, and so how precisely it is known.
pub const EVERY: Duration = Duration::from_secs(60);

/// How long a service that stops waits for the store to take it in: it is no more than a hint.
const AT_LAST: Duration = Duration::from_secs(1);

/// Notes which keys are used, again and again.
pub async fn keep_noting(keyring: Arc<Keyring>, env: Env, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        note(&keyring, &env).await;
    }
}

/// Notes which keys were used until the end.
pub async fn note_at_last(keyring: &Keyring, env: &Env) {
    if timeout(AT_LAST, note(keyring, env)).await.is_err() {
        tracing::warn!("the store was not told in time which API keys were used last");
    }
}

async fn note(keyring: &Keyring, env: &Env) {
    match keyring.note_uses(env.now()).await {
        Ok(()) => {}
        // It is tried again, and others say what is wrong with the store.
        Err(error) if error.is_passing() => tracing::debug!(%error, "uses of keys are not noted"),
        Err(error) => tracing::warn!(%error, "uses of API keys cannot be noted"),
    }
}

#[cfg(test)]
mod tests {
    use weir_app::TimeOrderedIds;
    use weir_store::ReadTx;
    use weir_testkit::app::{Store, TestApp};

    use super::*;

    #[tokio::test]
    async fn a_use_is_in_the_store_after_a_while() {
        let app = TestApp::start(Store::Sqlite).await;
        let acme = app.reseller("Acme").await;
        let env = Env { clock: app.clock.clone(), ids: Arc::new(TimeOrderedIds::default()) };
        let noting = keep_noting(app.keyring.clone(), env, Duration::from_millis(1));
        let noting = tokio::spawn(noting);
        acme.get("/api/v1/devices").await.ok();
        let caller = app.keyring.authenticate(acme.api_key()).await.unwrap();
        let used = async || {
            let keys = app.db.read(&caller.scope, |tx: &mut dyn ReadTx| tx.api_keys());
            keys.await.unwrap()[0].last_used_at
        };
        let noted = async {
            while used().await.is_none() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), noted).await.unwrap();
        assert_eq!(used().await, Some(app.clock.now()));
        noting.abort();
    }
}
