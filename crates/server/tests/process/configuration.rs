//! Where settings come from: flags, then variables, then the file.

use std::fs;
use std::net::Ipv4Addr;

use crate::home::Home;

/// Where a service comes to listen.
async fn host(home: &Home, arguments: &[&str]) -> String {
    home.start(arguments).await.address.ip().to_string()
}

#[tokio::test]
async fn flags_win_over_variables_and_variables_over_the_file() {
    let bare = Home::bare();
    fs::write(bare.directory.path().join("weir.toml"), "listen = \"127.0.0.4:0\"\n").unwrap();
    assert_eq!(host(&bare, &["serve"]).await, "127.0.0.4");
    let told = bare.with("WEIR_LISTEN", "127.0.0.3:0");
    assert_eq!(host(&told, &["serve"]).await, "127.0.0.3");
    assert_eq!(host(&told, &["serve", "--listen", "127.0.0.2:0"]).await, "127.0.0.2");
    assert_eq!(host(&told, &[]).await, "127.0.0.3");
}

#[tokio::test]
async fn another_file_may_be_named() {
    let home = Home::bare();
    let other = home.directory.path().join("other.toml");
    fs::write(&other, "listen = \"127.0.0.5:0\"\ndata_dir = \"elsewhere\"\n").unwrap();
    let host = host(&home, &["serve", "--config", other.to_str().unwrap()]).await;
    assert_eq!(host, Ipv4Addr::new(127, 0, 0, 5).to_string());
    assert!(home.directory.path().join("elsewhere/weir.db").exists());
    let ran = home.run(&["check", "--config", "missing.toml"]).await;
    assert!(ran.refusal().contains("missing.toml"), "{ran:?}");
}

#[tokio::test]
async fn the_place_of_the_data_may_be_given_before_and_after_any_command() {
    let home = Home::bare();
    let exists = |path: &str| home.directory.path().join(path).exists();
    home.reseller("Nowhere in particular", &[]).await;
    assert!(exists("weir-data/weir.db"));
    home.reseller("After", &["--data-dir", "after"]).await;
    assert!(exists("after/weir.db"));
    home.run(&["--data-dir", "before", "migrate"]).await.said();
    assert!(exists("before/weir.db"));
    home.run(&["reseller", "--database", "sqlite:between.db", "list"]).await.said();
    assert!(exists("between.db"));

    let commands: [&[&str]; 6] = [
        &["reseller", "list"],
        &["reseller", "update", "--reseller", "After"],
        &["api-key", "list", "--reseller", "After"],
        &["api-key", "create", "--reseller", "After"],
        &["migrate"],
        &["check"],
    ];
    for command in commands {
        let after = ["--database", "sqlite:after/weir.db", "--data-dir", "unused"];
        home.run(&[command, &after].concat()).await.said();
        home.run(&[&after, command].concat()).await.said();
    }
    assert!(!exists("unused"));
}

#[tokio::test]
async fn settings_that_nobody_knows_are_warned_of_and_ignored() {
    let home = Home::new().with("WEIR_COLOUR", "blue").with("WEIR_DATABSE", "sqlite:x");
    fs::write(home.directory.path().join("weir.toml"), "taste = \"sweet\"\n").unwrap();
    let ran = home.run(&["reseller", "create", "--name", "Acme"]).await;
    assert_eq!(ran.json()["name"], "Acme");
    for name in ["WEIR_COLOUR", "WEIR_DATABSE", "taste"] {
        assert!(ran.stderr().contains(name), "{ran:?}");
    }
    let log = home.serve().await.log();
    assert!(log.contains("WEIR_COLOUR"), "{log}");
}

#[tokio::test]
async fn settings_that_make_no_sense_are_named_without_their_secrets() {
    let home = Home::new().with("WEIR_MAX_CONNECTIONS", "many");
    let ran = home.run(&["check"]).await;
    assert!(ran.refusal().contains("max_connections"), "{ran:?}");

    let home = Home::new().with("WEIR_SECRET", "hunter2");
    let ran = home.run(&["reseller", "create", "--name", "Acme"]).await;
    assert!(ran.refusal().contains("16 bytes"), "{ran:?}");
    assert!(!ran.stderr().contains("hunter2"), "{ran:?}");
    let home = Home::new().with("WEIR_SECRET_FILE", "no-such-file");
    let ran = home.run(&["serve"]).await;
    assert!(ran.refusal().contains("no-such-file"), "{ran:?}");

    let home = Home::bare();
    let broken = "secret = \"hunter2\ndatabase = \"postgres://weir:hunter2@127.0.0.1/weir\n";
    fs::write(home.directory.path().join("weir.toml"), broken).unwrap();
    let ran = home.run(&["check"]).await;
    assert!(ran.refusal().contains("weir.toml"), "{ran:?}");
    assert!(!ran.stderr().contains("hunter2"), "{ran:?}");
    fs::write(home.directory.path().join("weir.toml"), "database = [\"hunter2\"]\n").unwrap();
    let ran = home.run(&["check"]).await;
    assert!(ran.refusal().contains("database"), "{ran:?}");
    assert!(!ran.stderr().contains("hunter2"), "{ran:?}");
}

#[tokio::test]
async fn keys_open_what_was_made_with_the_same_secret() {
    let kept = Home::new();
    let path = kept.directory.path().join("secret");
    fs::write(&path, "a secret of some length\n").unwrap();
    let given = kept.sharing().with("WEIR_SECRET", "a secret of some length");
    let filed = kept.sharing().with("WEIR_SECRET_FILE", path.to_str().unwrap());
    let other = kept.sharing().with("WEIR_SECRET", "quite another secret");
    let homes = [&kept, &given, &filed, &other];

    let key_kept = kept.reseller("Kept", &[]).await;
    let key_given = given.reseller("Given", &[]).await;
    let opens = [[true, false], [false, true], [false, true], [false, false]];
    for (home, expected) in homes.into_iter().zip(opens) {
        let server = home.serve().await;
        for (key, opens) in [&key_kept, &key_given].into_iter().zip(expected) {
            let answer = server.client(key).get("/api/v1/devices").await;
            assert_eq!(answer.status, if opens { 200 } else { 401 }, "{answer:?}");
        }
    }
}

#[tokio::test]
async fn settings_of_signing_in_are_looked_at_before_they_are_needed() {
    for (variable, value) in [
        ("WEIR_PUBLIC_URL", "weir.example.org"),
        ("WEIR_TRUSTED_PROXIES", "10.0.0.0/8,proxy"),
        ("WEIR_SMTP_HOST", "mail.example.org"),
        ("WEIR_SMTP_PASSWORD", "hunter2"),
    ] {
        let home = Home::new().with(variable, value);
        let named = match variable {
            "WEIR_SMTP_HOST" => "smtp_from".to_owned(),
            _ => variable.trim_start_matches("WEIR_").to_lowercase(),
        };
        for command in [["check"], ["serve"]] {
            let refusal = home.run(&command).await.refusal().to_owned();
            assert!(refusal.contains(&named), "{variable}: {refusal}");
            assert!(!refusal.contains("hunter2"), "{refusal}");
        }
    }
}
