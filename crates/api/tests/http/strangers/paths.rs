//! Paths that are none, and methods that a path does not take.

use http::Method;
use weir_testkit::app::TestApp;
use weir_testkit::on_both_stores;

use crate::support::*;

const UNKNOWN: &[(&str, &str)] = &[
    ("GET", "/api/v1"),
    ("GET", "/api/v1/"),
    ("GET", "/api/v1/nothing"),
    ("POST", "/api/v1/devices/"),
    ("GET", "/api/v1/devices/70b3d57ed02a3654/"),
    ("GET", "/api/v1/devices/70b3d57ed02a3654/nothing"),
    ("GET", "/api/v1/devices/70b3d57ed02a3654/consumption/more"),
    ("DELETE", "/api/v1/%ff"),
    ("GET", "/api/v1/../health"),
    ("GET", "/api/v1/Devices"),
];

const OTHER_METHODS: &[(&str, &str, &str)] = &[
    ("GET", REGISTER, "POST"),
    ("PUT", REGISTER, "POST"),
    ("GET", INGEST, "POST"),
    ("PUT", DEVICES, "GET,HEAD"),
    ("TRACE", DEVICES, "GET,HEAD"),
    ("OPTIONS", DEVICES, "GET,HEAD"),
    ("BREW", DEVICES, "GET,HEAD"),
    ("POST", UNREGISTERED, "GET,HEAD"),
    ("POST", "/api/v1/devices/70b3d57ed02a3654/consumption", "GET,HEAD"),
    ("PATCH", "/api/v1/devices/70b3d57ed02a3654", "GET,HEAD,PUT,DELETE"),
    ("PUT", "/api/v1/devices/stats", "GET,HEAD"),
    ("GET", "/api/v1/devices/hierarchy-batch", "PATCH"),
    ("GET", "/api/v1/devices/bulk-delete", "POST"),
    ("DELETE", CUSTOMERS, "GET,HEAD,POST"),
    ("POST", "/api/v1/end-users/70b3d57ed02a3654", "GET,HEAD,PUT,DELETE"),
    ("PUT", MEMBERS, "GET,HEAD,POST"),
    ("GET", "/api/v1/members/70b3d57ed02a3654", "DELETE"),
    ("POST", "/api/v1/reseller/billing", "GET,HEAD"),
];

on_both_stores!(strangers_cannot_tell_paths_apart, callers_are_told_what_there_is,);

async fn strangers_cannot_tell_paths_apart(app: TestApp) {
    let nobody = app.stranger();
    let others = OTHER_METHODS.iter().map(|(method, path, _)| (method, path));
    for (method, path) in UNKNOWN.iter().map(|(method, path)| (method, path)).chain(others) {
        let method: Method = method.parse().unwrap();
        let answer = nobody.ask(method.clone(), path).await;
        answer.refused(401, "INVALID_API_KEY");
        assert_eq!(answer.header("allow"), "", "{method} {path}");
    }
}

async fn callers_are_told_what_there_is(app: TestApp) {
    let acme = app.reseller("Acme").await;
    for (method, path) in UNKNOWN {
        acme.ask(method.parse().unwrap(), path).await.refused(404, "NOT_FOUND");
    }
    for (method, path, allowed) in OTHER_METHODS {
        let answer = acme.ask(method.parse().unwrap(), path).await;
        answer.refused(405, "METHOD_NOT_ALLOWED");
        let mut allow: Vec<&str> = answer.header("allow").split(',').collect();
        allow.sort_unstable();
        assert!(allowed.split(',').all(|method| allow.contains(&method)), "{path}: {allow:?}");
        assert!(!allow.contains(method), "{path}: {allow:?}");
    }
}
