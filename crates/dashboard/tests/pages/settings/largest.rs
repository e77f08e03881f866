//! The page stays small, whatever a reseller has and however long its names are.

use serde_json::json;
use weir_app::resellers::{NewReseller, ResellerChange};
use weir_domain::Name;
use weir_domain::member::Role;
use weir_testkit::app::{Actor, Answer, TestApp};
use weir_testkit::on_both_stores;

use super::SETTINGS;

on_both_stores!(no_page_is_large, all_of_a_long_list_can_be_reached);

const LARGEST: usize = 150_000;

/// How many of each there are: three pages.
const MANY: usize = 25;

/// The longest name of that number, of characters that take most room on a page.
fn longest(number: usize) -> String {
    format!("{number:03}{}", "\"".repeat(252))
}

/// A reseller with as much of everything as the page can be made to show, and a browser of it.
async fn furnished(app: &TestApp) -> Actor {
    let named = |number| Name::parse(&longest(number)).unwrap();
    let acme = NewReseller {
        name: named(999),
        aliases: (0..MANY).map(named).collect(),
        tier: None,
        monthly_quota: None,
        timezone: None,
    };
    let acme = app.reseller_as(acme).await;
    let ada = app.visitor(&acme, &format!("{}@example.org", "a".repeat(240)), Role::Admin).await;
    for number in 1..MANY {
        ada.submit("/settings/keys/create", &[("key", &longest(number))]).await.sent_on();
        let part = longest(number);
        let member = json!({ "issuer": part, "subject": part, "role": "viewer" });
        acme.post("/api/v1/members", member).await.ok();
    }
    ada
}

fn assert_small(answer: &Answer, what: &str) {
    assert!(answer.body.len() < LARGEST, "{what}: {} bytes", answer.body.len());
}

async fn no_page_is_large(app: TestApp) {
    let ada = furnished(&app).await;
    for list in ["keys", "members", "names"] {
        for offset in ["0", "10", "20"] {
            let page = ada.get(&format!("{SETTINGS}?list={list}&offset={offset}")).await;
            assert_eq!(page.status, 200);
            assert!(page.body.len() > 70_000, "{} bytes show next to nothing", page.body.len());
            assert_small(&page, list);
        }
    }
    let name = longest(1);
    let revealed = ada.submit("/settings/keys/reveal", &[("name", &name)]).await;
    assert_eq!(revealed.status, 200);
    assert_small(&revealed, "a key that is shown");
    let endless = "\"".repeat(500_000);
    for (form, field, typed) in [
        ("keys/create", "key", &endless),
        ("keys/create", "key", &name),
        ("members/add", "email", &endless),
        ("names/add", "alias", &endless),
        ("time-zone", "timezone", &endless),
    ] {
        let refused = ada.submit(&format!("{SETTINGS}/{form}"), &[(field, typed)]).await;
        assert_eq!(refused.status, 422, "{form}");
        assert_small(&refused, form);
    }
}

async fn all_of_a_long_list_can_be_reached(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let aliases = (1..=MANY).map(|number| Name::parse(&format!("Town {number:02}")).unwrap());
    let add_aliases = aliases.collect();
    app.change(&acme, ResellerChange { add_aliases, ..ResellerChange::default() }).await;
    let mut way = SETTINGS.to_owned();
    for (place, shown, hidden) in
        [("1–10 of 25", 10, 11), ("11–20 of 25", 20, 21), ("21–25 of 25", 25, 1)]
    {
        let page = ada.page(way.split('#').next().unwrap()).await;
        assert!(page.contains(place), "{place}: {page}");
        let named = |number: i32| page.contains(&format!("Town {number:02}</code>"));
        assert!(named(shown) && !named(hidden), "{place}");
        let next = page.split(r#"rel="next" href=""#).nth(1);
        way = next.map_or("", |next| next.split('"').next().unwrap()).replace("&#38;", "&");
    }
    assert_eq!(way, "", "there is no more");
    let removed = ada.submit("/settings/names/remove", &[("name", "Town 25")]).await;
    assert_eq!(removed.sent_on(), SETTINGS);
}
