//! What keeps resellers apart on a connection.
//!
//! A connection is bound to nobody, to one reseller, or to the system. While it is bound to a reseller:
//!
//! - *Reads* go through gate views, which show the rows of `current_reseller()` alone. The authorizer
//!   denies every other table. SQLite tells the authorizer the innermost view by its name, and a
//!   common table expression of that name would pass for the view: so the names begin with a random
//!   word of this process.
//! - *Writes* go to the base tables, whose guard triggers abort the write of a foreign row. A writing
//!   statement finds its rows by identity (keys and references), gives values and not columns to SET,
//!   and has no sub-select. So it can compare keys and read nothing: the most that a hostile one could
//!   learn is that a key is taken, which a unique index tells as well.
//!
//! In the statements of this crate a gate view is written `gate.device`; [`Gate::words`] puts its name
//! there.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::functions::FunctionFlags;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, Error};
use weir_domain::ResellerId;
use weir_domain::name::{contains_folded, fold};

use crate::connection;

/// The gate views, and what they show.
const VIEWS: [(&str, &str); 17] = [
    ("reseller", "SELECT * FROM main.reseller WHERE id = current_reseller()"),
    ("reseller_alias", "SELECT * FROM main.reseller_alias WHERE reseller_id = current_reseller()"),
    ("api_key", "SELECT * FROM main.api_key WHERE reseller_id = current_reseller()"),
    ("member", "SELECT * FROM main.member WHERE reseller_id = current_reseller()"),
    ("customer", "SELECT * FROM main.customer WHERE reseller_id = current_reseller()"),
    ("end_user", "SELECT * FROM main.end_user WHERE reseller_id = current_reseller()"),
    ("device", "SELECT * FROM main.device WHERE reseller_id = current_reseller()"),
    (
        "reading_block",
        "SELECT reading_block.* FROM main.device
         JOIN main.reading_block ON reading_block.device = device.key
         WHERE device.reseller_id = current_reseller()",
    ),
    (
        "day",
        "SELECT day.* FROM main.device JOIN main.day ON day.device = device.key
         WHERE device.reseller_id = current_reseller()",
    ),
    ("fleet_count", "SELECT * FROM main.fleet_count WHERE reseller_id = current_reseller()"),
    ("ownership", "SELECT * FROM main.ownership WHERE reseller_id = current_reseller()"),
    ("sighting", "SELECT * FROM main.sighting WHERE reseller_id = current_reseller()"),
    (
        "sighting_reading",
        "SELECT * FROM main.sighting_reading WHERE reseller_id = current_reseller()",
    ),
    ("sighting_tally", "SELECT * FROM main.sighting_tally WHERE reseller_id = current_reseller()"),
    ("quota_usage", "SELECT * FROM main.quota_usage WHERE reseller_id = current_reseller()"),
    ("quota_lease", "SELECT * FROM main.quota_lease WHERE reseller_id = current_reseller()"),
    ("eui_claim", "SELECT * FROM main.eui_claim WHERE reseller_id = current_reseller()"),
];

/// The guarded tables, with the columns by which a writing statement, its guards and its foreign keys
/// find rows.
const GUARDED: [(&str, &[&str]); 18] = [
    ("reseller", &["id"]),
    ("reseller_alias", &["reseller_id"]),
    ("api_key", &["reseller_id", "id"]),
    ("member", &["reseller_id", "id", "kind", "issuer", "name"]),
    ("customer", &["reseller_id", "id"]),
    ("end_user", &["reseller_id", "id", "customer_id"]),
    (
        "device",
        &["key", "reseller_id", "id", "live_eui", "parent_id", "end_user_id", "customer_id"],
    ),
    ("reading_block", &["device", "since"]),
    ("day", &["device", "day"]),
    ("fleet_count", &["reseller_id"]),
    ("ownership", &["reseller_id", "id", "device_id"]),
    ("sighting", &["reseller_id", "eui"]),
    ("sighting_reading", &["reseller_id", "eui", "ts", "volume"]),
    ("sighting_tally", &["reseller_id", "euis", "readings"]),
    ("quota_usage", &["reseller_id", "month"]),
    ("quota_lease", &["spool_id", "reseller_id", "month"]),
    ("eui_claim", &["eui", "reseller_id"]),
    ("membership", &["kind", "issuer", "name", "reseller_id", "member_id"]),
];

/// The tables outside tenancy.
const SYSTEM: [&str; 11] = [
    "api_key_hash",
    "tenant_name",
    "eui_claim",
    "lane_position",
    "quota_lease",
    "server_secret",
    "membership",
    "magic_link",
    "sign_in_session",
    "signing_key",
    "change_log",
];

/// Whom a connection's statements act for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// Nobody: no statement can be prepared or run.
    Nobody,
    /// One reseller.
    Reseller(ResellerId),
    /// No reseller: the tables outside tenancy.
    System,
}

/// What is known of the statement that is being prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unknown,
    Reads,
    Writes,
}

#[derive(Debug)]
struct State {
    binding: Binding,
    statement: Kind,
}

/// The gate of one connection.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    prefix: Arc<str>,
    writes: bool,
    state: Arc<Mutex<State>>,
}

impl Gate {
    /// Puts a gate before a connection. `word` is the random word of this process.
    pub fn install(connection: &mut Connection, word: u64, writes: bool) -> rusqlite::Result<Self> {
        let state = State { binding: Binding::Nobody, statement: Kind::Unknown };
        let prefix = format!("gate_{word:016x}_").into();
        let gate = Self { prefix, writes, state: Arc::new(Mutex::new(state)) };
        gate.add_functions(connection)?;
        for (name, rows) in VIEWS {
            connection
                .execute_batch(&format!("CREATE TEMP VIEW {}{name} AS {rows}", gate.prefix))?;
        }
        if !writes {
            connection::forbid_writes(connection)?;
        }
        let judge = gate.clone();
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            match judge.allows(&context) {
                true => Authorization::Allow,
                false => Authorization::Deny,
            }
        }))?;
        Ok(gate)
    }

    // Neither of the first two is declared deterministic: SQLite may then ask it while it prepares, and the
    // statement outlives the answer.
    fn add_functions(&self, connection: &Connection) -> rusqlite::Result<()> {
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
        let gate = self.clone();
        connection.create_scalar_function("current_reseller", 0, flags, move |_| {
            match gate.state().binding {
                Binding::Reseller(reseller) => Ok(reseller.uuid().into_bytes()),
                _ => Err(unbound()),
            }
        })?;
        let gate = self.clone();
        connection.create_scalar_function("is_out_of_scope", 1, flags, move |call| {
            match gate.state().binding {
                Binding::Nobody => Err(unbound()),
                Binding::System => Ok(false),
                Binding::Reseller(reseller) => Ok(call.get_raw(0).as_blob_or_null()?
                    != Some(reseller.uuid().as_bytes().as_slice())),
            }
        })?;
        // SQLite's own `lower` knows ASCII alone.
        let flags = flags | FunctionFlags::SQLITE_DETERMINISTIC;
        connection.create_scalar_function("lowercase", 1, flags, |call| {
            Ok(call.get::<Option<String>>(0)?.map(|text| fold(&text)))
        })?;
        connection.create_scalar_function("contains_folded", 2, flags, |call| {
            let (text, part) = (call.get_raw(0), call.get_raw(1));
            let (text, part) = (text.as_str_or_null()?, part.as_str_or_null()?);
            Ok(text.zip(part).is_some_and(|(text, part)| contains_folded(text, part)))
        })
    }

    /// Binds the connection.
    pub fn bind(&self, binding: Binding) {
        self.state().binding = binding;
    }

    /// Says that another statement is about to be prepared or begun.
    pub fn expect_statement(&self) {
        self.state().statement = Kind::Unknown;
    }

    /// A statement with the names of the gate views in it.
    pub fn words(&self, sql: &str) -> String {
        sql.replace("gate.", &self.prefix)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn allows(&self, context: &AuthContext<'_>) -> bool {
        let mut state = self.state();
        match (context.action, state.binding) {
            (AuthAction::Transaction { .. }, _) => true,
            (_, Binding::Nobody) => false,
            (AuthAction::Function { function_name }, _) => function_name != "load_extension",
            (AuthAction::Recursive, _) => true,
            (AuthAction::Select, Binding::System) => true,
            (AuthAction::Read { table_name, column_name }, Binding::System) => {
                SYSTEM.contains(&table_name) || (table_name, column_name) == ("reseller", "id")
            }
            (action, Binding::System) => {
                self.writes && written(action).is_some_and(|table| SYSTEM.contains(&table))
            }
            // Inside a view, a trigger or a named sub-select; the statement around it was judged.
            (AuthAction::Select, _) if context.accessor.is_some() => true,
            (AuthAction::Select, _) => {
                let is_sub_select = state.statement == Kind::Writes;
                state.statement = if is_sub_select { Kind::Writes } else { Kind::Reads };
                !is_sub_select
            }
            (AuthAction::Read { table_name, column_name }, _) => {
                context.accessor.is_some_and(|view| view.starts_with(&*self.prefix))
                    || table_name.starts_with(&*self.prefix)
                    || state.statement == Kind::Writes && is_identity(table_name, column_name)
            }
            (action, _) => {
                let Some(table) = written(action).filter(|_| self.writes) else { return false };
                if context.accessor.is_none() {
                    state.statement = Kind::Writes;
                }
                GUARDED.iter().any(|(name, _)| *name == table)
            }
        }
    }
}

fn unbound() -> Error {
    Error::UserFunctionError("the connection is bound to no reseller".into())
}

fn written(action: AuthAction<'_>) -> Option<&str> {
    match action {
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name } => Some(table_name),
        _ => None,
    }
}

fn is_identity(table: &str, column: &str) -> bool {
    GUARDED.iter().any(|(name, identity)| *name == table && identity.contains(&column))
}
