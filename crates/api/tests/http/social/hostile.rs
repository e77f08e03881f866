//! What others try, and what goes wrong.

use url::Url;
use weir_domain::member::Role;
use weir_testkit::app::{Store, TestApp};
use weir_testkit::oidc::Browser;

use super::support::*;

/// The query with another value of a parameter.
fn with(back: &Url, name: &str, value: &str) -> String {
    let pairs = back.query_pairs().map(|(it, old)| {
        let new = if it == name { value.to_owned() } else { old.into_owned() };
        (it.into_owned(), new)
    });
    let pairs: Vec<_> = pairs.collect();
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

fn parameter(back: &Url, name: &str) -> String {
    back.query_pairs().find(|it| it.0 == name).unwrap().1.into_owned()
}

async fn world_with_ada() -> World {
    let world = World::on(Store::Sqlite).await;
    let acme = world.app.reseller("Acme").await;
    world.app.member(&acme, "ada@example.org", Role::Admin).await;
    world
}

#[tokio::test]
async fn only_the_browser_that_began_can_finish_and_once() {
    let world = world_with_ada().await;
    let (mine, yours) = (world.start().await, world.start().await);
    let my_back = Browser::new().sign_in(&mine.location, "ada").await;
    let your_back = Browser::new().sign_in(&yours.location, "ada").await;

    let attempts = [
        (None, my_back.query().unwrap().to_owned()),
        (Some(yours.sent()), my_back.query().unwrap().to_owned()),
        (Some("weir_flow=".to_owned()), my_back.query().unwrap().to_owned()),
        (Some(format!("{}A", mine.sent())), my_back.query().unwrap().to_owned()),
        (Some(mine.sent()), with(&my_back, "state", "guessed")),
        (Some(mine.sent()), with(&my_back, "state", &parameter(&your_back, "state"))),
        (Some(mine.sent()), with(&my_back, "iss", "https://id.example")),
        (Some(mine.sent()), with(&my_back, "code", "guessed")),
        (Some(mine.sent()), format!("state={}", parameter(&my_back, "state"))),
        (Some(mine.sent()), "code=guessed".to_owned()),
        (Some(mine.sent()), String::new()),
        // A code that someone else was given: the provider knows that they have another verifier.
        (Some(mine.sent()), with(&my_back, "code", &parameter(&your_back, "code"))),
    ];
    for (cookie, query) in attempts {
        let answer = world.come_back(cookie.as_deref(), &query).await;
        answer.refused(401, "INVALID_TOKEN");
        assert!(!answer.headers.contains_key("set-cookie"), "{query}");
    }
    world.finish(&mine, &my_back).await.ok();
    world.finish(&mine, &my_back).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn whoever_refuses_is_told_so_in_our_words() {
    let world = world_with_ada().await;
    let started = world.start().await;
    let back = Browser::new().refuse(&started.location).await;
    let told = world.finish(&started, &back).await.refused(401, "INVALID_TOKEN");
    assert_eq!(told["message"], "The sign-in was not completed at the provider.");
    let scripted = with(&back, "error", "<script>alert(1)</script>");
    let answer = world.come_back(Some(&started.sent()), &scripted).await;
    assert_eq!(answer.refused(401, "INVALID_TOKEN"), told);
}

#[tokio::test]
async fn a_provider_that_nobody_configured_is_not_found() {
    let world = world_with_ada().await;
    let alone = TestApp::start(Store::Sqlite).await;
    for (app, names) in [
        (&world.app, &["other", "Test", "test%00", "%ff", "..", "te%2Fst", "%20test"][..]),
        (&alone, &["test"]),
    ] {
        for name in names {
            for rest in ["start", "callback", "callback?code=a&state=b"] {
                let answer = app.stranger().get(&format!("/auth/{name}/{rest}")).await;
                answer.refused(404, "NOT_FOUND");
            }
        }
    }
    let posted = world.app.stranger().post("/auth/test/start", serde_json::json!({})).await;
    posted.refused(405, "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn what_a_browser_brings_along_is_bounded() {
    let world = world_with_ada().await;
    let long = "x".repeat(4_097);
    for (query, status, code) in [
        (format!("code={long}"), 422, "SCHEMA_VALIDATION_ERROR"),
        (format!("state={long}"), 422, "SCHEMA_VALIDATION_ERROR"),
        ("code=%ff&state=a".to_owned(), 422, "SCHEMA_VALIDATION_ERROR"),
        (format!("code={0}&state={0}&iss={0}", &long[1..]), 401, "INVALID_TOKEN"),
        ("state=a&state=b&code=%0d%0aset-cookie:%20a=b".to_owned(), 401, "INVALID_TOKEN"),
    ] {
        let started = world.start().await;
        world.come_back(Some(&started.sent()), &query).await.refused(status, code);
        world.come_back(None, &query).await.refused(status, code);
    }
}

#[tokio::test]
async fn a_provider_that_is_away_is_said_to_be() {
    let provider = provider().await;
    let world = World::knowing(Store::Sqlite, provider.issuer()).await;
    let newcomer = World::knowing(Store::Sqlite, provider.issuer()).await;
    let started = world.start().await;
    let back = Browser::new().sign_in(&started.location, "ada").await;
    drop(provider);
    let answers = [
        newcomer.app.stranger().get("/auth/test/start").await,
        world.finish(&started, &back).await,
    ];
    for answer in answers {
        answer.refused(503, "SERVICE_UNAVAILABLE");
        assert_eq!(answer.headers["retry-after"], "10");
    }
}
