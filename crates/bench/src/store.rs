//! The stores that are measured.

use std::any::Any;
use std::path::Path;

use weir_testkit::postgres::{Cluster, TestDatabase};

use crate::cli::Stores;

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
    /// What one has to know to read its figures.
    pub note: Option<&'static str>,
    /// In this order: the database goes before its server.
    _server: Option<(TestDatabase, Cluster)>,
}

const POSTGRES_NOTE: &str = "this PostgreSQL runs with fsync off, which makes settling faster than \
                             it is in earnest; what is acknowledged is fsynced in the spool all the same";

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
                let url = format!("sqlite:{}", dir.join("weir.db").display());
                Ok(Store { url, note: None, _server: None })
            }
            Self::Postgres => {
                // Where there is no PostgreSQL, the panic of a test that wants one says so.
                let started = tokio::task::spawn_blocking(|| {
                    let cluster = Cluster::start();
                    (cluster.empty_database(), cluster)
                });
                let server = started.await.map_err(|error| match error.try_into_panic() {
                    Ok(panic) => sentence(panic.as_ref()),
                    Err(error) => error.to_string(),
                })?;
                let url = server.0.url();
                Ok(Store { url, note: Some(POSTGRES_NOTE), _server: Some(server) })
            }
        }
    }
}

fn sentence(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it does not start").to_owned()
}
