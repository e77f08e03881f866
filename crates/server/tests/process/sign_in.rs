//! People who sign in: by mail, and with tokens of a provider of independent make.

use std::fs;

use serde_json::{Value, json};
use weir_testkit::mailbox::{Mailbox, PASSWORD, Security, USER};
use weir_testkit::oidc::{CLIENT, Provider};

use crate::client::Client;
use crate::home::{Home, STORES, Store};
use crate::server::Server;

const ME: &str = "/api/v1/me";

/// Somebody with a token.
fn bearer(server: &Server, token: &str) -> Client {
    server.anybody().with_header("authorization", format!("Bearer {token}"))
}

/// What of an answer's tokens goes by that name.
fn token(tokens: &Value, name: &str) -> String {
    tokens[name].as_str().unwrap().to_owned()
}

async fn add_member(home: &Home, options: &[&str]) {
    home.run(&[&["member", "add", "--reseller", "Acme"], options].concat()).await.json();
}

/// Asks for a link and follows the one that comes.
async fn sign_in(server: &Server, mailbox: &mut Mailbox) -> Value {
    let address = json!({ "email": "ada@example.org" });
    let asked = server.anybody().post("/auth/magic-link", &address).await;
    let cookie = asked.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let letter = mailbox.next().await;
    let here = format!("http://{}", server.address);
    let link = letter.plain.split_whitespace().find_map(|word| word.strip_prefix(&here)).unwrap();
    server.anybody().with_header("cookie", cookie).get(link).await.data()
}

#[tokio::test]
async fn the_link_in_a_mail_signs_in_until_one_signs_out() {
    for store in STORES {
        let mut mailbox = Mailbox::start(Security::StartTls).await;
        let home = Home::on(store)
            .with("WEIR_SMTP_HOST", "localhost")
            .with("WEIR_SMTP_PORT", mailbox.port().to_string())
            .with("WEIR_SMTP_USERNAME", USER)
            .with("WEIR_SMTP_PASSWORD", PASSWORD)
            .with("WEIR_SMTP_FROM", "weir@example.org")
            .with("WEIR_SMTP_CA_FILE", mailbox.authority_file().to_str().unwrap());
        let key = home.reseller("Acme", &[]).await;
        add_member(&home, &["--email", "ada@example.org", "--role", "viewer"]).await;
        let server = home.serve().await;
        let tokens = sign_in(&server, &mut mailbox).await;
        let mut ada = bearer(&server, &token(&tokens, "access_token"));
        let me = ada.get(ME).await.data();
        assert_eq!((&me["name"], &me["role"]), (&json!("ada@example.org"), &json!("viewer")));
        let refused = ada.post("/api/v1/customers", &json!({ "name": "Riverside" })).await;
        assert_eq!((refused.status, &refused.body["error_code"]), (403, &json!("FORBIDDEN")));

        let refresh = json!({ "refresh_token": tokens["refresh_token"] });
        let fresh = server.anybody().post("/auth/refresh", &refresh).await.data();
        let mut again = bearer(&server, &token(&fresh, "access_token"));
        assert_eq!(again.get(ME).await.data(), me);
        let last = json!({ "refresh_token": fresh["refresh_token"] });
        server.anybody().post("/auth/sign-out", &last).await.data();
        for signed_out in [&mut ada, &mut again] {
            assert_eq!(signed_out.get(ME).await.status, 401);
        }
        assert_eq!(server.anybody().post("/auth/refresh", &last).await.status, 401);

        // Whoever is removed by the command is nobody to the service beside it.
        let tokens = sign_in(&server, &mut mailbox).await;
        let mut ada = bearer(&server, &token(&tokens, "access_token"));
        ada.get(ME).await.data();
        let removed = ["member", "remove", "--reseller", "Acme", "--email", "ada@example.org"];
        home.run(&removed).await.json();
        crate::patience::until(async || ada.get(ME).await, |it| it.status == 401).await;
        let log = server.log();
        let secrets = ["access_token", "refresh_token"].map(|name| token(&tokens, name));
        for secret in secrets.iter().chain([&key]) {
            assert!(!log.contains(secret.as_str()), "{log}");
        }
    }
}

#[tokio::test]
async fn tokens_of_a_configured_provider_are_taken_before_and_after_its_keys_change() {
    let mut provider = Provider::start("https://app.example/back").await;
    let home = Home::on(Store::Sqlite);
    let settings =
        format!("[issuers.acme-id]\nissuer = {:?}\naudience = {CLIENT:?}\n", provider.issuer());
    fs::write(home.directory.path().join("weir.toml"), settings).unwrap();
    home.reseller("Acme", &[]).await;
    let issuer = provider.issuer().to_owned();
    add_member(&home, &["--issuer", &issuer, "--subject", "ada"]).await;
    let server = home.serve().await;
    for _ in 0..2 {
        let mut ada = bearer(&server, &provider.id_token(CLIENT, "ada").await);
        let me = ada.get(ME).await.data();
        assert_eq!(me["name"], format!("ada of {issuer}"));
        let mut mallory = bearer(&server, &provider.id_token(CLIENT, "mallory").await);
        assert_eq!(mallory.get(ME).await.body["error_code"], "INVALID_TOKEN");
        provider.rotate_keys().await;
    }
}
