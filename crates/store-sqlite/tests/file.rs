//! The file: made, migrated, looked at.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use tempfile::TempDir;
use weir_store_sqlite::{OpenError, Options, Sqlite, check, migrate};

#[test]
fn migrating_makes_the_file_and_does_it_once() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("deep").join("down").join("weir.db");
    let applied = migrate(&path).unwrap();
    assert_eq!(applied.first().map(String::as_str), Some("V1__system_lookups"));
    assert_eq!(applied.len(), 19);
    assert_eq!(migrate(&path).unwrap(), Vec::<String>::new());
}

#[test]
#[cfg(unix)]
fn the_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt;

    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    let _store = Sqlite::open(&path, Options::default()).unwrap();
    for entry in std::fs::read_dir(directory.path()).unwrap() {
        let mode = entry.unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_schema_from_the_future_is_not_touched() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    migrate(&path).unwrap();
    let future = "INSERT INTO refinery_schema_history
                  VALUES (999, 'jetpacks', '2100-01-01T00:00:00Z', '1')";
    Connection::open(&path).unwrap().execute(future, []).unwrap();
    let refused = Sqlite::open(&path, Options::default()).err();
    assert!(matches!(refused, Some(OpenError::Migration { .. })), "{refused:?}");
    let diagnosis = check(&path);
    assert_eq!(diagnosis.troubles, ["The schema is at version 999, this program's at 19."]);
}

#[test]
fn what_is_no_database_is_refused() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    std::fs::write(&path, "Dear diary, today I was not a database. ".repeat(100)).unwrap();
    let refused = Sqlite::open(&path, Options::default()).err();
    assert!(matches!(refused, Some(OpenError::Sqlite { .. })), "{refused:?}");
    let diagnosis = check(&path);
    assert!(diagnosis.findings.is_empty());
    assert!(diagnosis.troubles[0].contains("cannot be read"), "{diagnosis:?}");
}

#[test]
fn a_sound_store_is_called_sound() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    assert_eq!(check(&path).findings, [format!("{} does not exist yet.", path.display())]);
    assert!(!path.exists());
    let _store = Sqlite::open(&path, Options::default()).unwrap();
    let diagnosis = check(&path);
    assert_eq!(diagnosis.troubles, Vec::<String>::new());
    assert_eq!(
        diagnosis.findings,
        [
            "The journal mode is wal.",
            "The schema is at version 19, the newest.",
            "All pages are sound.",
        ]
    );
}

#[test]
fn damage_is_found() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    migrate(&path).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[end - 8192..].fill(0x5a);
    std::fs::write(&path, bytes).unwrap();
    assert!(!check(&path).troubles.is_empty());
}

#[test]
fn both_stores_have_the_same_migrations() {
    let names = |folder: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    assert_eq!(names("migrations"), names("../store-postgres/migrations"));
}
