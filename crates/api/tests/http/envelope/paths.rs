//! Paths and queries that are badly encoded, and pages for people.

use http::Method;
use weir_testkit::app::{Store, TestApp};

use crate::support::*;

const BAD: &[&str] =
    &["%ff", "%C3", "%F0%9F%92", "%", "%zz", "%7", "%00", "%2F", "%2e%2e", "%ED%A0%80", "x", "%20"];

#[tokio::test]
async fn a_path_that_names_no_device_is_told_as_its_position_asks() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    for bad in BAD {
        let lookup = acme.get(&format!("{DEVICES}/{bad}")).await;
        lookup.refused(400, "INVALID_DEVICE_ID");
        let history = acme.get(&format!("{DEVICES}/{bad}/consumption")).await;
        assert_eq!(history.fields(), ["path.device_id"], "{bad}");
    }
    acme.register("70b3d57ed02a3654").await;
    acme.get(&format!("{DEVICES}/%370b3d57ed02a3654")).await.ok();
}

#[tokio::test]
async fn a_query_that_is_no_text_is_refused_by_the_name_of_its_parameter() {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    for path in [DEVICES, UNREGISTERED] {
        for value in ["%ff", "%", "%zz", "", "1%00", "%EF%BC%91", "0x10", "1.0", "+1", " 1"] {
            let value = value.replace(' ', "%20");
            let answer = acme.get(&format!("{path}?limit={value}")).await;
            assert_eq!(answer.fields(), ["query.limit"], "{value}");
        }
        assert_eq!(acme.get(&format!("{path}?x=%ff&y=%C3")).await.fields(), ["query.x", "query.y"]);
        assert_eq!(acme.get(&format!("{path}?%ff=1")).await.fields(), ["query"]);
        let both = acme.get(&format!("{path}?limit=0&offset=-1")).await;
        assert_eq!(both.fields(), ["query.limit", "query.offset"]);
        acme.get(&format!("{path}?&&x&=&limit=1&limit=2&%C3%BC=%F0%9F%92%A7")).await.ok();
    }
}

#[tokio::test]
async fn pages_are_for_people_outside_the_interface() {
    let app = TestApp::start(Store::Sqlite).await;
    let person = app.stranger().with_header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    for (method, path, status) in
        [("GET", "/nothing", 404), ("POST", "/ping", 405), ("GET", "/docs/x", 404)]
    {
        let method: Method = method.parse().unwrap();
        let page = person.ask(method.clone(), path).await;
        assert_eq!(page.status, status);
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        assert!(String::from_utf8(page.body).unwrap().contains(&format!("<h1>{status} ")));
        let code = if status == 405 { "METHOD_NOT_ALLOWED" } else { "NOT_FOUND" };
        app.stranger().ask(method.clone(), path).await.refused(status, code);
        let any = app.stranger().with_header("accept", "*/*");
        any.ask(method, path).await.refused(status, code);
    }
    person.get(DEVICES).await.refused(401, "INVALID_API_KEY");
    let acme = app.reseller("Acme").await.with_header("accept", "text/html");
    acme.get("/api/v1/nothing").await.refused(404, "NOT_FOUND");
    acme.get(&format!("{DEVICES}/x")).await.refused(400, "INVALID_DEVICE_ID");
    acme.post_raw(REGISTER, "{").await.fields();
    acme.get(DEVICES).await.ok();
}
