//! `weir migrate`

use serde_json::json;

use crate::failure::Failure;
use crate::output;
use crate::settings::{Database, Settings};

/// Brings the store's schema up to date.
pub fn run(settings: &Settings, json: bool) -> Result<(), Failure> {
    let applied = match settings.database()? {
        Database::Sqlite(path) => weir_store_sqlite::migrate(&path)?,
        Database::Postgres(url) => weir_store_postgres::migrate(&url)?,
    };
    if json {
        return Ok(output::json(&json!({ "applied": applied }))?);
    }
    match applied.len() {
        0 => Ok(output::lines(["The schema is up to date.".to_owned()])?),
        _ => Ok(output::lines(applied.iter().map(|name| format!("applied {name}")))?),
    }
}
