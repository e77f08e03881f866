//! `weir check`

use serde_json::json;

use crate::failure::Failure;
use crate::output;
use crate::settings::{Database, Settings};

/// Checks the settings and the store, and says what it finds. Troubles are a failure.
pub fn run(settings: &Settings, json: bool) -> Result<(), Failure> {
    settings.secret()?;
    settings.check_sign_in()?;
    let (findings, troubles) = match settings.database()? {
        Database::Sqlite(path) => {
            let diagnosis = weir_store_sqlite::check(&path);
            (diagnosis.findings, diagnosis.troubles)
        }
        Database::Postgres(url) => {
            let (troubles, findings): (Vec<_>, Vec<_>) = weir_store_postgres::check(&url)
                .into_iter()
                .partition(|finding| finding.is_trouble);
            let sentences = |found: Vec<weir_store_postgres::Finding>| {
                found.into_iter().map(|finding| finding.sentence).collect::<Vec<_>>()
            };
            (sentences(findings), sentences(troubles))
        }
    };
    if !troubles.is_empty() {
        return Err(Failure::Said(troubles.join(" ")));
    }
    if json {
        return Ok(output::json(&json!({ "findings": findings }))?);
    }
    Ok(output::lines(findings)?)
}
