//! Opening the store that the settings name.

use std::sync::Arc;

use weir_store::{Db, Engine};
use weir_store_postgres::Postgres;
use weir_store_sqlite::Sqlite;

use crate::failure::Failure;
use crate::settings::{Database, Settings};

/// Opens the store, and brings its schema up to date where that is allowed.
pub fn open(settings: &Settings) -> Result<Db, Failure> {
    let engine: Arc<dyn Engine> = match settings.database()? {
        Database::Sqlite(path) => Sqlite::open(&path, weir_store_sqlite::Options::default())?,
        Database::Postgres(url) => {
            let connections = settings.postgres_connections;
            let options = weir_store_postgres::Options { connections, ..Default::default() };
            Postgres::connect(&url, options)?
        }
    };
    Ok(Db::new(engine))
}
