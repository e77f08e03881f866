//! A store, and directories for the processes on it.

use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;
use weir_ingest::Options;
use weir_store::{Db, Engine};
use weir_store_postgres::Postgres;
use weir_store_sqlite::Sqlite;
use weir_testkit::postgres::{Cluster, TestDatabase};

use super::gate::{Gate, Gated};
use super::{Process, patient};

/// Which store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    Sqlite,
    Postgres,
}

/// A store of one test.
pub struct World {
    /// The doors of the store, as the processes of this world see them.
    pub gate: Arc<Gate>,
    /// The store behind its doors.
    pub db: Db,
    /// The store past its doors, for looking at it.
    pub past: Db,
    database: Option<Arc<TestDatabase>>,
    directory: Arc<TempDir>,
    machine: &'static str,
}

impl World {
    pub async fn new(store: Store) -> Self {
        let directory = Arc::new(tempfile::tempdir().unwrap());
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => {
                let fresh = || {
                    Cluster::shared().fresh_database(|url| {
                        weir_store_postgres::migrate(url).unwrap();
                    })
                };
                Some(Arc::new(tokio::task::spawn_blocking(fresh).await.unwrap()))
            }
        };
        Self::on(directory, database, "one").await
    }

    /// Another machine on the same store: with connections, doors and directories of its own.
    pub async fn another_machine(&self) -> Self {
        Self::on(self.directory.clone(), self.database.clone(), "another").await
    }

    async fn on(
        directory: Arc<TempDir>,
        database: Option<Arc<TestDatabase>>,
        machine: &'static str,
    ) -> Self {
        let file = directory.path().join("weir.db");
        let url = database.as_ref().map(|database| database.url());
        let open = move || -> Arc<dyn Engine> {
            match url {
                None => Sqlite::open(&file, Default::default()).unwrap(),
                Some(url) => Postgres::connect(&url, Default::default()).unwrap(),
            }
        };
        let engine = tokio::task::spawn_blocking(open).await.unwrap();
        let gate = Gate::before(engine.clone());
        let db = Db::new(Arc::new(Gated(gate.clone())));
        Self { gate, db, past: Db::new(engine), database, directory, machine }
    }

    /// Where the processes of this machine have their spools.
    pub fn root(&self) -> PathBuf {
        self.directory.path().join(self.machine)
    }

    /// Starts a process whose spool has that number.
    pub fn process(&self, number: u128) -> Process {
        self.process_with(number, patient())
    }

    /// Starts a process with other options.
    pub fn process_with(&self, number: u128, options: Options) -> Process {
        Process::start(&self.db, &self.root(), number, options)
    }
}
