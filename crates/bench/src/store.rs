//! The stores that are measured.

use std::any::Any;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::NoTls;
use weir_store::{Db, Engine};
use weir_store_postgres::Postgres;
use weir_store_sqlite::Sqlite;
use weir_testkit::postgres::{Cluster, TestDatabase};

use crate::cli::Stores;
use crate::failure::Failure;

/// How long a statement may run that fills a store, or wait for another one.
const PATIENCE: Duration = Duration::from_secs(3_600);

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The embedded store.
    Sqlite,
    /// A PostgreSQL that is started for the run.
    Postgres,
}

/// A store for one run, gone when it is dropped.
#[derive(Debug)]
pub struct Store {
    /// Its URL.
    pub url: String,
    place: Place,
}

#[derive(Debug, Clone)]
enum Place {
    /// Its file.
    File(PathBuf),
    /// In this order: the database goes before its server.
    Server(Arc<(TestDatabase, Cluster)>),
}

impl Stores {
    /// Those that were chosen.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            Self::Sqlite => &[Kind::Sqlite],
            Self::Postgres => &[Kind::Postgres],
            Self::Both => &[Kind::Sqlite, Kind::Postgres],
        }
    }
}

impl Kind {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// A fresh store of this kind; an error says why this machine has none to offer.
    pub async fn prepare(self, dir: &Path) -> Result<Store, String> {
        match self {
            Self::Sqlite => {
                let file = dir.join("weir.db");
                Ok(Store { url: format!("sqlite:{}", file.display()), place: Place::File(file) })
            }
            Self::Postgres => {
                // Where there is no PostgreSQL, the panic of a test that wants one says so.
                let started = tokio::task::spawn_blocking(|| {
                    let cluster = Cluster::start_in_earnest();
                    (cluster.empty_database(), cluster)
                });
                let server = started.await.map_err(|error| match error.try_into_panic() {
                    Ok(panic) => sentence(panic.as_ref()),
                    Err(error) => error.to_string(),
                })?;
                Ok(Store { url: server.0.url(), place: Place::Server(Arc::new(server)) })
            }
        }
    }
}

impl Store {
    /// Opens it in this process, beside no service.
    pub async fn open(&self) -> Result<Db, Failure> {
        let (place, url) = (self.place.clone(), self.url.clone());
        let opened = tokio::task::spawn_blocking(move || -> Result<Arc<dyn Engine>, Failure> {
            let failed = |error: &dyn ToString| Failure::Unopened(error.to_string());
            match place {
                Place::File(file) => {
                    let opened = Sqlite::open(&file, weir_store_sqlite::Options::default());
                    Ok(opened.map_err(|error| failed(&error))?)
                }
                Place::Server(_) => {
                    let options = weir_store_postgres::Options {
                        statement_timeout: PATIENCE,
                        lock_timeout: PATIENCE,
                        ..Default::default()
                    };
                    Ok(Postgres::connect(&url, options).map_err(|error| failed(&error))?)
                }
            }
        });
        Ok(Db::new(opened.await??))
    }

    /// Lets it look at its tables, as a server in earnest does by itself once they have grown.
    pub async fn take_a_look(&self) -> Result<(), Failure> {
        self.execute("ANALYZE").await
    }

    /// Lets it tidy up after much was written, as a server in earnest does by itself.
    pub async fn tidy(&self) -> Result<(), Failure> {
        self.execute("VACUUM (ANALYZE)").await
    }

    /// The embedded store does without.
    async fn execute(&self, statement: &'static str) -> Result<(), Failure> {
        if let Place::Server(server) = &self.place {
            let server = server.clone();
            tokio::task::spawn_blocking(move || server.0.execute(statement)).await?;
        }
        Ok(())
    }

    /// How many bytes it has on the disk while nobody has it open. What a server writes ahead of its
    /// tables is not part of a database of its.
    pub async fn size(&self) -> Result<u64, Failure> {
        match &self.place {
            Place::File(file) => {
                let mut ahead = file.clone().into_os_string();
                ahead.push("-wal");
                let ahead = std::fs::metadata(ahead).map_or(0, |it| it.len());
                let file = file.metadata();
                let unseen = |error| Failure::io("the store's file cannot be looked at", error);
                Ok(file.map_err(unseen)?.len() + ahead)
            }
            Place::Server(_) => {
                let query = "SELECT pg_database_size(current_database())";
                let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await?;
                let driver = tokio::spawn(connection);
                let size: i64 = client.query_one(query, &[]).await?.try_get(0)?;
                drop(client);
                driver.await??;
                Ok(size.unsigned_abs())
            }
        }
    }

    /// What one has to know to read its figures.
    pub const fn note(&self) -> Option<&'static str> {
        match self.place {
            Place::File(_) => None,
            Place::Server(_) => {
                Some("this PostgreSQL is as it sets itself up: fsync on, 128 MB of buffers")
            }
        }
    }
}

fn sentence(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not start").to_owned()
}
