//! A link that travels by a real mail server.

use std::sync::Arc;

use serde_json::json;
use weir_domain::member::Role;
use weir_identity::mail::{Security, SmtpPostman, SmtpSettings};
use weir_testkit::app::{PUBLIC_URL, Store, Surroundings, TestApp};
use weir_testkit::mailbox::{self, Mailbox, PASSWORD, USER};

#[tokio::test]
async fn the_link_in_a_mail_signs_in() {
    let mut mailbox = Mailbox::start(mailbox::Security::StartTls).await;
    let postman = SmtpPostman::new(&SmtpSettings {
        host: "localhost".into(),
        port: mailbox.port(),
        security: Security::Starttls,
        credentials: Some((USER.to_owned(), PASSWORD.to_owned().into())),
        from: "Weir <weir@example.org>".into(),
        ca_file: Some(mailbox.authority_file().to_owned()),
    });
    let postman = Some(Arc::new(postman.unwrap()) as _);
    let surroundings = Surroundings { postman, ..Default::default() };
    let app = TestApp::start_among(Store::Sqlite, surroundings).await;
    let acme = app.reseller("Acme").await;
    app.member(&acme, "ada@example.org", Role::Admin).await;

    // Mallory is nobody here; if she got mail, it would come before Ada's.
    let mallory = json!({ "email": "mallory@example.org" });
    app.stranger().post("/auth/magic-link", mallory).await.ok();
    let asked =
        app.stranger().post("/auth/magic-link", json!({ "email": "Ada@example.org" })).await;
    asked.ok();
    let cookie = asked.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap();

    let letter = mailbox.next().await;
    assert_eq!(letter.to, ["ada@example.org"]);
    assert!(letter.encrypted);
    let link = letter.plain.split_whitespace().find(|word| word.starts_with(PUBLIC_URL)).unwrap();
    assert!(letter.html.contains(link), "{}", letter.html);
    let path = link.strip_prefix(PUBLIC_URL).unwrap();
    let browser = app.stranger().with_header("cookie", cookie);
    assert_eq!(browser.get(path).await.ok()["token_type"], "Bearer");
    browser.get(path).await.refused(401, "INVALID_TOKEN");
    assert!(mailbox.is_empty());
}
