//! Writing into real stores, and small.

use weir_app::credentials::{Keyring, Secret};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::*;

on_both_stores!(what_is_written_is_found);

async fn what_is_written_is_found(app: TestApp) {
    let reseller = app.reseller("Bench").await;
    let secret = Secret::new(b"a secret that only tests share").unwrap();
    let keyring = Keyring::new(app.db.clone(), secret);
    let scope = keyring.authenticate(reseller.api_key()).await.unwrap().scope.clone();
    let now = app.clock.now();
    let fleet = Fleet { buildings: 1, readings: 30, now };
    let registry = Registry::new(app.db.clone(), scope, fleet);
    let keys = registry.register(&async || Ok(())).await.unwrap().keys;
    assert!(!is_found(&registry, &keys, 30).await.unwrap());
    write(&registry, &keys, 30, first_of_month(now), &|_| ()).await.unwrap();
    assert!(is_found(&registry, &keys, 30).await.unwrap());
    assert!(!is_found(&registry, &keys, 29).await.unwrap());
}
