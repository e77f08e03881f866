//! The contract that every store keeps.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use tempfile::TempDir;
use weir_store::Db;
use weir_store_sqlite::{Options, Sqlite};

async fn fresh() -> (Db, TempDir) {
    let directory = TempDir::new().unwrap();
    let engine = Sqlite::open(&directory.path().join("weir.db"), Options::default()).unwrap();
    (Db::new(engine), directory)
}

weir_store::contract_suite!(fresh);
