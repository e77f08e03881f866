//! What holds for every page.

use weir_domain::member::Role;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

on_both_stores!(
    whoever_is_not_signed_in_is_sent_to_sign_in,
    pages_tell_browsers_to_be_careful,
    names_are_shown_as_text,
    forms_from_elsewhere_are_refused,
    unknown_paths_answer_as_ever,
    assets_are_kept_for_ever,
);

async fn whoever_is_not_signed_in_is_sent_to_sign_in(app: TestApp) {
    assert_eq!(app.browser().get("/").await.sent_on(), "/sign-in");
    assert_eq!(app.browser().get("/?a=1&b").await.sent_on(), "/sign-in?page=%2F%3Fa%3D1%26b");
    for cookie in ["weir_session=", "weir_session=AAAA", "weir_session=%00; x"] {
        let forged = app.browser().with_header("cookie", cookie);
        assert_eq!(forged.get("/").await.sent_on(), "/sign-in", "{cookie}");
    }
}

async fn pages_tell_browsers_to_be_careful(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    for (actor, path) in [(&ada, "/"), (&app.browser(), "/sign-in"), (&app.browser(), "/")] {
        let answer = actor.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(!policy.contains("unsafe"));
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
    }
    let page = ada.page("/").await;
    assert!(!page.contains("style=") && !page.contains("onclick") && page.len() < 150_000);
}

async fn names_are_shown_as_text(app: TestApp) {
    let acme = app.reseller("<script>alert(1)</script>").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let page = ada.page("/").await;
    assert!(page.contains("&#60;script&#62;alert(1)") && !page.contains("<script>"), "{page}");
}

async fn forms_from_elsewhere_are_refused(app: TestApp) {
    let acme = app.reseller("Acme").await;
    let ada = app.visitor(&acme, "ada@example.org", Role::Admin).await;
    let eve = app.visitor(&acme, "eve@example.org", Role::Admin).await;
    let page = eve.page("/").await;
    let token = page.split(r#"name="token" value=""#).nth(1).unwrap().split('"').next().unwrap();
    for fields in [&[("token", "")][..], &[("token", "AAAA")], &[("token", token)]] {
        // The first field of a name counts.
        assert_eq!(ada.submit("/sign-out", fields).await.status, 403, "{fields:?}");
    }
    let elsewhere = app.stranger().with_header("sec-fetch-site", "cross-site");
    let answer = elsewhere.submit("/auth/sign-in", &[("email", "ada@example.org")]).await;
    assert_eq!(answer.status, 403);
    let silent = app.stranger().submit("/auth/sign-in", &[("email", "ada@example.org")]).await;
    assert_eq!(silent.status, 403);
    ada.page("/").await;
    assert_eq!(eve.submit("/sign-out", &[]).await.sent_on(), "/sign-in");
}

async fn unknown_paths_answer_as_ever(app: TestApp) {
    app.stranger().get("/nothing").await.refused(404, "NOT_FOUND");
    app.stranger().post("/sign-in", serde_json::json!({})).await.refused(405, "METHOD_NOT_ALLOWED");
    let page = app.browser().get("/nothing").await;
    assert_eq!(
        (page.status.as_u16(), page.header("content-type")),
        (404, "text/html; charset=utf-8")
    );
    // Errors that come from elsewhere look like the other pages and are guarded as these are.
    let guarded = app.browser().get("/sign-in").await;
    for (path, status, way) in [
        ("/nothing", 404, "/"),
        ("/auth/magic-link/follow?token=x", 401, "/sign-in"),
        ("/assets/0123/nothing.css", 404, "/"),
    ] {
        let page = app.browser().get(path).await;
        assert_eq!(page.status, status);
        for name in ["content-security-policy", "referrer-policy", "x-frame-options"] {
            assert_eq!(page.header(name), guarded.header(name), "{path}");
        }
        assert!(page.text().contains(&format!(r#"<a href="{way}">"#)), "{path}");
        assert!(!page.text().contains("<style") && page.text().contains("/weir.css"), "{path}");
    }
}

async fn assets_are_kept_for_ever(app: TestApp) {
    let page = app.browser().page("/sign-in").await;
    let path = page.split(r#"rel="stylesheet" href=""#).nth(1).unwrap().split('"').next().unwrap();
    let styles = app.browser().get(path).await;
    assert_eq!(styles.header("content-type"), "text/css; charset=utf-8");
    assert!(styles.header("cache-control").contains("immutable"));
    let older = app.browser().get("/assets/0123/weir.css").await;
    assert_eq!((older.status.as_u16(), older.header("cache-control")), (200, "no-cache"));
    assert_eq!(app.browser().get("/assets/0123/nothing.css").await.status, 404);
}
