//! The commands, one by one, on both stores.

use serde_json::{Value, json};
use weir_testkit::postgres::Cluster;

use crate::home::{Home, STORES};

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn resellers_are_created_listed_changed_and_deleted() {
    for store in STORES {
        let home = Home::on(store);
        let create = ["reseller", "create", "--name", " Aguas do Norte ", "--tier", "professional"];
        let more =
            ["--alias", "AdN", "--alias", "Norte", "--quota", "5", "--timezone", "Europe/Lisbon"];
        let created = home.run(&[&create[..], &more].concat()).await.json();
        assert_eq!(keys(&created), ["api_key", "name", "reseller_id", "slug"]);
        assert_eq!(created["name"], "Aguas do Norte");
        assert_eq!(created["slug"], "aguas-do-norte");
        let key = created["api_key"].as_str().unwrap();
        assert!(key.starts_with("weir_") && key.len() == 54, "{key}");

        let id = created["reseller_id"].as_str().unwrap();
        let listed = home.run(&["reseller", "list", "--json"]).await.json();
        let expected = json!([{
            "reseller_id": id, "name": "Aguas do Norte", "slug": "aguas-do-norte",
            "aliases": ["AdN", "Norte"], "tier": "professional", "quota": 5,
            "timezone": "Europe/Lisbon", "is_closing": false, "created_at": listed[0]["created_at"],
        }]);
        assert_eq!(listed, expected);
        let lines = home.run(&["reseller", "list"]).await;
        assert!(lines.said().contains(id) && lines.said().contains("Aguas do Norte"), "{lines:?}");

        let calls = [id, "AGUAS do norte", "aguas-do-norte", "adn"];
        for (call, quota) in calls.into_iter().zip(["0", "1", "2", "3"]) {
            let change = ["reseller", "update", "--reseller", call, "--quota", quota];
            assert_eq!(home.run(&change).await.json()["quota"].to_string(), quota);
        }
        let change = ["--name", "Sul", "--tier", "starter", "--timezone", "UTC"];
        let aliases = ["--alias", "Aguas", "--remove-alias", "adn"];
        let update = [&["reseller", "update", "--reseller", id][..], &change, &aliases].concat();
        let changed = home.run(&update).await.json();
        let expected = json!({
            "reseller_id": id, "name": "Sul", "slug": "sul", "aliases": ["Norte", "Aguas"],
            "tier": "starter", "quota": 3, "timezone": "UTC", "is_closing": false,
            "created_at": listed[0]["created_at"],
        });
        assert_eq!(changed, expected);

        let deleted = home.run(&["reseller", "delete", "--reseller", "norte"]).await.json();
        assert_eq!(deleted, json!({ "reseller_id": id, "name": "Sul", "deleted": true }));
        assert_eq!(home.run(&["reseller", "list", "--json"]).await.json(), json!([]));
        // Every name is free again, those it once had too.
        home.reseller("adn", &["--alias", "Sul", "--alias", "Aguas do Norte"]).await;
    }
}

#[tokio::test]
async fn api_keys_are_created_listed_rotated_and_revoked() {
    for store in STORES {
        let home = Home::on(store);
        let first = home.reseller("Acme", &[]).await;
        let api_key = async |command: &str, options: &[&str]| {
            let arguments = [&["api-key", command, "--reseller", "acme"], options].concat();
            home.run(&arguments).await.json()
        };
        let second = api_key("create", &[]).await;
        assert_eq!(keys(&second), ["api_key", "name", "reseller_id"]);
        assert_eq!(second["name"], "key-2");
        let third = api_key("create", &["--name", "Billing"]).await;
        let rotated = api_key("rotate", &["--name", "Billing"]).await;
        assert_eq!(rotated["name"], "Billing");
        let texts = [json!(first), second["api_key"].clone(), third["api_key"].clone()];
        assert!(!texts.contains(&rotated["api_key"]));

        let listed = home.run(&["api-key", "list", "--reseller", "Acme", "--json"]).await;
        let names: Vec<_> =
            listed.json().as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
        assert_eq!(names, ["default", "key-2", "Billing"]);
        assert!(!listed.stdout().contains("weir_"), "{listed:?}");
        let revoked = api_key("revoke", &["--name", "key-2"]).await;
        assert_eq!((&revoked["name"], &revoked["revoked"]), (&json!("key-2"), &json!(true)));
        assert_eq!(api_key("revoke", &[]).await["name"], "default");
        assert_eq!(api_key("create", &[]).await["name"], "default");
        let lines = home.run(&["api-key", "list", "--reseller", "Acme"]).await;
        assert_eq!(lines.said().lines().count(), 2, "{lines:?}");
    }
}

#[tokio::test]
async fn members_are_added_listed_and_removed() {
    for store in STORES {
        let home = Home::on(store);
        home.reseller("Acme", &[]).await;
        home.reseller("Globex", &[]).await;
        let member = async |command: &str, options: &[&str]| {
            let arguments = [&["member", command, "--reseller", "acme"], options].concat();
            home.run(&arguments).await.json()
        };
        let ada = member("add", &["--email", "Ada@example.org"]).await;
        let expected = json!({
            "reseller_id": ada["reseller_id"], "id": ada["id"], "email": "ada@example.org",
            "issuer": null, "subject": null, "role": "admin", "created_at": ada["created_at"],
        });
        assert_eq!(ada, expected);
        let issuer = "https://id.example.org";
        let user = ["--issuer", issuer, "--subject", "User-1"];
        let bob = member("add", &[&user[..], &["--role", "viewer"]].concat()).await;
        assert_eq!((&bob["issuer"], &bob["subject"]), (&json!(issuer), &json!("User-1")));
        assert_eq!((&bob["email"], &bob["role"]), (&json!(null), &json!("viewer")));

        let listed = member("list", &["--json"]).await;
        let ids: Vec<_> = listed.as_array().unwrap().iter().map(|it| it["id"].clone()).collect();
        assert_eq!(ids, [ada["id"].clone(), bob["id"].clone()]);
        assert_eq!(keys(&listed[0]), ["created_at", "email", "id", "issuer", "role", "subject"]);
        let lines = home.run(&["member", "list", "--reseller", "Acme"]).await;
        assert_eq!(lines.said().lines().count(), 2, "{lines:?}");
        for part in ["admin", "ada@example.org", "viewer", "User-1 of https://id.example.org"] {
            assert!(lines.said().contains(part), "{lines:?}");
        }
        let others = home.run(&["member", "list", "--reseller", "Globex", "--json"]).await;
        assert_eq!(others.json(), json!([]));

        let removed = member("remove", &["--email", "ADA@example.org"]).await;
        assert_eq!((&removed["id"], &removed["removed"]), (&ada["id"], &json!(true)));
        assert_eq!(member("remove", &user).await["id"], bob["id"]);
        let again = member("add", &user).await;
        assert_eq!(
            member("remove", &["--id", again["id"].as_str().unwrap()]).await["id"],
            again["id"]
        );
        assert_eq!(member("list", &["--json"]).await, json!([]));
    }
}

#[tokio::test]
async fn the_schema_is_made_once_and_checked() {
    let database = Cluster::shared().empty_database();
    for home in [Home::new(), Home::new().with("WEIR_DATABASE", database.url())] {
        let applied = home.run(&["migrate", "--json"]).await.json();
        assert!(!applied["applied"].as_array().unwrap().is_empty(), "{applied}");
        assert_eq!(home.run(&["migrate", "--json"]).await.json(), json!({ "applied": [] }));
        assert_eq!(home.run(&["migrate"]).await.said(), "The schema is up to date.\n");
        let findings = home.run(&["check", "--json"]).await.json();
        assert!(!findings["findings"].as_array().unwrap().is_empty(), "{findings}");
        assert!(home.run(&["check"]).await.said().contains("schema"));
    }
}

#[tokio::test]
async fn a_store_in_trouble_does_not_pass_the_check() {
    let database = Cluster::shared().empty_database();
    let home = Home::new().with("WEIR_DATABASE", database.url());
    assert!(home.run(&["check"]).await.refusal().contains("weir migrate"));

    let home = Home::new();
    std::fs::create_dir(home.directory.path().join("data")).unwrap();
    std::fs::write(home.directory.path().join("data/weir.db"), "no database at all").unwrap();
    for json in [&["check"][..], &["check", "--json"]] {
        assert!(home.run(json).await.refusal().contains("weir.db"));
    }
}

#[tokio::test]
async fn the_document_is_the_one_that_is_served() {
    let home = Home::new();
    let printed: Value = serde_json::from_str(home.run(&["openapi"]).await.said()).unwrap();
    assert!(printed["openapi"].as_str().unwrap().starts_with("3.1"));
    // A service is what the program is when nothing is said.
    let server = home.start(&[]).await;
    assert_eq!(server.anybody().get("/openapi.json").await.body, printed);
}

#[tokio::test]
async fn every_command_helps() {
    let home = Home::bare();
    let commands = [
        &[][..],
        &["serve"],
        &["reseller"],
        &["reseller", "create"],
        &["reseller", "list"],
        &["reseller", "update"],
        &["reseller", "delete"],
        &["api-key"],
        &["api-key", "create"],
        &["api-key", "list"],
        &["api-key", "rotate"],
        &["api-key", "revoke"],
        &["member"],
        &["member", "add"],
        &["member", "list"],
        &["member", "remove"],
        &["migrate"],
        &["openapi"],
        &["simulate"],
        &["check"],
    ];
    for command in commands {
        let help = home.run(&[command, &["--help"]].concat()).await;
        assert!(
            help.said().contains("--database") && help.said().contains("--data-dir"),
            "{help:?}"
        );
    }
    assert!(home.run(&["--version"]).await.said().starts_with("weir "));
    assert_eq!(std::fs::read_dir(home.directory.path()).unwrap().count(), 0);
}
