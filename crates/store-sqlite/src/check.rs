//! A look at a store from outside.

use std::path::Path;

use rusqlite::Connection;

use crate::connection::{self, Role};
use crate::migrate::runner;

/// What a look at a store found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// What is as it should be, in sentences.
    pub findings: Vec<String>,
    /// What is not, in sentences.
    pub troubles: Vec<String>,
}

/// Looks at a store without changing it: its schema, its journal and its pages. It works beside a
/// running server.
pub fn check(path: &Path) -> Diagnosis {
    let mut diagnosis = Diagnosis::default();
    if !path.exists() {
        diagnosis.findings.push(format!("{} does not exist yet.", path.display()));
        return diagnosis;
    }
    if let Err(error) = examine(path, &mut diagnosis) {
        diagnosis.troubles.push(format!("{} cannot be read: {error}.", path.display()));
    }
    diagnosis
}

fn examine(path: &Path, diagnosis: &mut Diagnosis) -> rusqlite::Result<()> {
    let connection = connection::open(path, Role::Reader)?;
    connection::forbid_writes(&connection)?;
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    diagnosis.say(mode == "wal", format!("The journal mode is {mode}."));
    let version = schema_version(&connection)?;
    let newest = runner().get_migrations().iter().map(|migration| migration.version()).max();
    let newest = newest.map_or(0, i64::from);
    diagnosis.say(
        version == newest,
        match version {
            _ if version == newest => format!("The schema is at version {version}, the newest."),
            0 => "The file has no schema; `weir migrate` makes it.".to_owned(),
            _ => format!("The schema is at version {version}, this program's at {newest}."),
        },
    );
    let mut statement = connection.prepare("PRAGMA quick_check(10)")?;
    let lines: Vec<String> =
        statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let is_sound = lines == ["ok"];
    diagnosis.say(
        is_sound,
        if is_sound {
            "All pages are sound.".to_owned()
        } else {
            format!("Pages are damaged: {}.", lines.join("; "))
        },
    );
    Ok(())
}

fn schema_version(connection: &Connection) -> rusqlite::Result<i64> {
    if !connection.table_exists(None::<&str>, "refinery_schema_history")? {
        return Ok(0);
    }
    let newest = "SELECT coalesce(max(version), 0) FROM refinery_schema_history";
    connection.query_row(newest, [], |row| row.get(0))
}

impl Diagnosis {
    fn say(&mut self, is_right: bool, sentence: String) {
        if is_right { &mut self.findings } else { &mut self.troubles }.push(sentence);
    }
}
