//! The whole of it against the service itself, in this process and small.

use weir_app::credentials::{Keyring, Secret};
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use super::{loading, questions};
use crate::connection::Answer;
use crate::fleet::Fleet;
use crate::registry::Registry;

on_both_stores!(every_question_is_answered_as_the_fleet_has_it);

async fn every_question_is_answered_as_the_fleet_has_it(app: TestApp) {
    let reseller = app.reseller("Bench").await;
    let secret = Secret::new(b"a secret that only tests share").unwrap();
    let keyring = Keyring::new(app.db.clone(), secret);
    let scope = keyring.authenticate(reseller.api_key()).await.unwrap().scope.clone();
    let fleet = Fleet { buildings: 2, readings: 30, now: app.clock.now() };
    let registry = Registry::new(app.db.clone(), scope, fleet);
    let loaded = loading::load(&registry, &async || Ok(()), &|_| ()).await.unwrap();
    for question in questions::all(&loaded) {
        assert!(!question.requests.is_empty(), "{}", question.name);
        for request in &question.requests {
            let answer = reseller.get(&request.path).await;
            let total = answer.headers.get("x-total-count").map(|it| it.to_str().unwrap());
            let answer = Answer {
                status: answer.status.as_u16(),
                total: total.map(|total| total.parse().unwrap()),
                head: b"",
                body: &answer.body,
            };
            assert_eq!(request.expected.check(&answer), Ok(()), "{}", request.path);
        }
    }
}
