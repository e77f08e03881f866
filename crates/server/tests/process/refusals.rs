//! What is refused: with a reason on stderr, with nothing on stdout, and without a trace.

use weir_testkit::postgres::Cluster;

use crate::home::{Home, STORES, Store};

#[tokio::test]
async fn no_two_resellers_share_a_name() {
    for store in STORES {
        let home = Home::on(store);
        home.reseller("Acme Water", &["--alias", "H2O"]).await;
        home.reseller("Globex", &[]).await;
        let create = ["reseller", "create", "--name"];
        let update = ["reseller", "update", "--reseller", "globex"];
        let before = home.run(&["reseller", "list", "--json"]).await.json();
        let attempts: [&[&str]; 9] = [
            &[&create[..], &["ACME WATER"]].concat(),
            &[&create[..], &["  acme water "]].concat(),
            &[&create[..], &["Acme-Water"]].concat(),
            &[&create[..], &["Acme (Water)"]].concat(),
            &[&create[..], &["h2o"]].concat(),
            &[&create[..], &["Initech", "--alias", "acme-water"]].concat(),
            &[&create[..], &["Initech", "--alias", "Ours", "--alias", "H2o"]].concat(),
            &[&update[..], &["--name", "Acme water"]].concat(),
            &[&update[..], &["--alias", "ACME-WATER", "--quota", "7"]].concat(),
        ];
        for attempt in attempts {
            let ran = home.run(attempt).await;
            assert!(ran.refusal().contains("taken"), "{ran:?}");
        }
        assert_eq!(home.run(&["reseller", "list", "--json"]).await.json(), before);
        // What a refused command had claimed before it failed is free.
        home.reseller("Initech", &["--alias", "Ours"]).await;
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_its_reason() {
    for store in STORES {
        let home = Home::on(store);
        home.reseller("Acme", &[]).await;
        let long = "x".repeat(256);
        let id = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10";
        let attempts: [(&[&str], &str); 24] = [
            (&["reseller", "create"], "--name"),
            (&["reseller", "create", "--name", ""], "blank"),
            (&["reseller", "create", "--name", " \t "], "blank"),
            (&["reseller", "create", "--name", "!?"], "letter or a digit"),
            (&["reseller", "create", "--name", "a\u{7}b"], "control"),
            (&["reseller", "create", "--name", &long], "255"),
            (&["reseller", "create", "--name", "B", "--alias", " "], "blank"),
            (&["reseller", "create", "--name", "B", "--tier", "gold"], "professional"),
            (&["reseller", "create", "--name", "B", "--quota", "-1"], "quota"),
            (&["reseller", "create", "--name", "B", "--quota", "many"], "quota"),
            (&["reseller", "create", "--name", "B", "--timezone", "Mars/Olympus"], "Mars/Olympus"),
            (&["reseller", "update", "--reseller", "acme", "--tier", "gold"], "professional"),
            (&["reseller", "update", "--reseller", "acme", "--quota", "-1"], "quota"),
            (&["reseller", "update", "--reseller", "acme", "--timezone", ""], "time zone"),
            (&["reseller", "update", "--reseller", "acme", "--remove-alias", "A"], "alias"),
            (&["reseller", "update", "--reseller", "nobody", "--quota", "1"], "nobody"),
            (&["reseller", "delete", "--reseller", id], id),
            (&["api-key", "create", "--reseller", "nobody"], "nobody"),
            (&["api-key", "create", "--reseller", "acme", "--name", "default"], "default"),
            (&["api-key", "create", "--reseller", "acme", "--name", ""], "blank"),
            (&["api-key", "list", "--reseller", "nobody"], "nobody"),
            (&["api-key", "rotate", "--reseller", "acme", "--name", "Billing"], "Billing"),
            (&["api-key", "revoke", "--reseller", "acme", "--name", "Billing"], "Billing"),
            (&["reseller", "rename"], "rename"),
        ];
        for (attempt, reason) in attempts {
            let ran = home.run(&[attempt, &["--json"]].concat()).await;
            assert!(ran.refusal().contains(reason), "{reason:?} is not in {ran:?}");
        }
        let listed = home.run(&["reseller", "list", "--json"]).await.json();
        assert_eq!(listed.as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn who_is_no_member_and_who_is_one_already_is_told() {
    for store in STORES {
        let home = Home::on(store);
        for name in ["Acme", "Globex"] {
            home.reseller(name, &[]).await;
        }
        let add = ["member", "add", "--reseller", "acme"];
        let remove = ["member", "remove", "--reseller", "acme"];
        let added = home.run(&[&add[..], &["--email", "ada@example.org"]].concat()).await.json();
        let id = added["id"].as_str().unwrap();
        let issuer = ["--issuer", "https://id.example.org"];
        let attempts: [(&[&str], &[&str], &str); 18] = [
            (&add, &["--email", "Ada@Example.org"], "already a member"),
            (&add, &["--email", "Ada@Example.org", "--role", "viewer"], "already a member"),
            (&add, &["--email", "ada"], "e-mail"),
            (&add, &["--email", "bob@example.org", "--role", "owner"], "admin or viewer"),
            (&add, &["--email", "bob@example.org", issuer[0], issuer[1]], "--email"),
            (&add, &[], "email"),
            (&add, &issuer, "--subject"),
            (&add, &["--subject", "User-1"], "--issuer"),
            (&add, &["--subject", "", issuer[0], issuer[1]], "subject"),
            (&add, &["--subject", "User-1", "--issuer", "a\nb"], "issuer"),
            (&["member", "add", "--reseller", "nobody"], &["--email", "a@b"], "nobody"),
            (&["member", "list", "--reseller", "nobody"], &[], "nobody"),
            (&remove, &["--email", "bob@example.org"], "No such member"),
            (&remove, &["--subject", "User-1", issuer[0], issuer[1]], "No such member"),
            (&remove, &["--id", "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"], "No such member"),
            (&remove, &["--id", "ada"], "UUID"),
            (&remove, &["--id", id, "--email", "ada@example.org"], "--id"),
            (&["member", "remove", "--reseller", "globex"], &["--id", id], "No such member"),
        ];
        for (command, options, reason) in attempts {
            let ran = home.run(&[command, options, &["--json"]].concat()).await;
            assert!(ran.refusal().contains(reason), "{reason:?} is not in {ran:?}");
        }
        let list = ["member", "list", "--reseller", "acme", "--json"];
        let listed = home.run(&list).await.json();
        assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
        assert_eq!((&listed[0]["id"], &listed[0]["role"]), (&added["id"], &added["role"]));
    }
}

const COMMANDS: [&[&str]; 5] = [
    &["reseller", "create", "--name", "Acme"],
    &["api-key", "list", "--reseller", "Acme"],
    &["migrate"],
    &["serve"],
    &["check"],
];

#[tokio::test]
async fn a_store_that_cannot_be_opened_is_named_without_its_password() {
    let home = Home::new();
    let databases = [
        "postgres://weir:hunter2@127.0.0.1:1/weir",
        "postgres://weir:hunter2@127.0.0.1:port/weir",
        "postgresql://weir:hunter2@127.0.0.1:1/weir?colour=hunter2",
        "mysql://weir:hunter2@127.0.0.1/weir",
        "weir:hunter2@127.0.0.1/weir",
        "host=127.0.0.1 password=hunter2",
        "sqlite:",
    ];
    for database in databases {
        for command in COMMANDS {
            let ran = home.run(&[command, &["--database", database]].concat()).await;
            let reason = ran.refusal();
            assert!(!reason.contains("hunter2"), "{reason}");
            assert!(reason.contains("database"), "{reason}");
        }
    }
    let missing = Cluster::shared().empty_database().url();
    assert!(home.run(&["check", "--database", &missing]).await.refusal().contains("weir_"));
}

#[tokio::test]
async fn a_path_that_cannot_be_written_is_named() {
    let postgres = Home::on(Store::Postgres);
    let home = Home::new();
    for home in [&home, &postgres] {
        std::fs::write(home.directory.path().join("occupied"), "").unwrap();
    }
    for command in &COMMANDS[..4] {
        let ran = home.run(&[command, &["--data-dir", "occupied"][..]].concat()).await;
        assert!(ran.refusal().contains("occupied"), "{ran:?}");
        let ran =
            home.run(&[command, &["--database", "sqlite:occupied/weir.db"][..]].concat()).await;
        assert!(ran.refusal().contains("occupied"), "{ran:?}");
    }
    let ran = postgres.run(&["serve", "--data-dir", "occupied"]).await;
    assert!(ran.refusal().contains("occupied"), "{ran:?}");
}

#[tokio::test]
async fn an_address_that_cannot_be_listened_on_is_named() {
    let home = Home::new();
    for address in ["nowhere.invalid:80", "127.0.0.1", "192.0.2.1:80"] {
        let ran = home.run(&["serve", "--listen", address]).await;
        assert!(ran.refusal().contains(address), "{ran:?}");
    }
    let spools = home.directory.path().join("data/spool");
    assert!(!spools.exists(), "a spool is left behind");
}
