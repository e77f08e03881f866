//! What can be found out about a database before it is served from.

use tokio_postgres::{Client, Row};

use crate::error::OpenError;
use crate::migrate;

/// The tables that hold a reseller's data, all of them under row-level security.
pub(crate) const TENANT_TABLES: [&str; 15] = [
    "reseller",
    "reseller_alias",
    "api_key",
    "member",
    "membership",
    "customer",
    "end_user",
    "device",
    "ownership",
    "reading_block",
    "day",
    "fleet_count",
    "sighting",
    "sighting_reading",
    "quota_usage",
];

/// The oldest server that will do, as it states its version.
const OLDEST_SERVER: i32 = 150_000;

/// How the schema compares to what this program knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is what this program needs.
    Current,
    /// It is missing or old.
    Behind,
    /// A later version of the program has migrated it.
    Ahead(i32),
}

/// The server's version in its own words; an error where it is too old.
pub(crate) async fn server_version(client: &Client) -> Result<String, OpenError> {
    let query = "SELECT current_setting('server_version_num')::int, \
                        current_setting('server_version')";
    let row = client.query_one(query, &[]).await?;
    let version: String = row.try_get(1)?;
    if row.try_get::<_, i32>(0)? < OLDEST_SERVER {
        return Err(OpenError::TooOld(version));
    }
    Ok(version)
}

/// The role that logged in.
pub(crate) async fn login(client: &Client) -> Result<String, OpenError> {
    let row = client.query_one("SELECT session_user::text", &[]).await?;
    Ok(row.try_get(0)?)
}

/// How the schema compares to what this program knows.
pub(crate) async fn standing(client: &Client) -> Result<Standing, OpenError> {
    let query = "SELECT to_regclass('refinery_schema_history') IS NOT NULL";
    if !client.query_one(query, &[]).await?.try_get::<_, bool>(0)? {
        return Ok(Standing::Behind);
    }
    let query = "SELECT coalesce(max(version), 0) FROM refinery_schema_history";
    let found: i32 = client.query_one(query, &[]).await?.try_get(0)?;
    Ok(match found.cmp(&migrate::latest_version()) {
        std::cmp::Ordering::Less => Standing::Behind,
        std::cmp::Ordering::Equal => Standing::Current,
        std::cmp::Ordering::Greater => Standing::Ahead(found),
    })
}

/// Whether this login may change the schema: it may create, and what is there is its own.
pub(crate) async fn may_migrate(client: &Client) -> Result<bool, OpenError> {
    let query = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
           AND coalesce((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class
                         WHERE oid = to_regclass('refinery_schema_history')), true)";
    Ok(client.query_one(query, &[]).await?.try_get(0)?)
}

/// Refuses a session whose current role would see more than one reseller.
pub(crate) async fn assert_bound(client: &Client) -> Result<(), OpenError> {
    let query = "SELECT current_user::text, rolsuper, rolbypassrls, ARRAY(
            SELECT name FROM unnest($1::text[]) AS name
            WHERE row_security_active(to_regclass(name)::oid) IS NOT TRUE
        ) FROM pg_roles WHERE rolname = current_user";
    let tables: &[&str] = &TENANT_TABLES;
    let row = client.query_one(query, &[&tables]).await?;
    match unbound_because(&row)? {
        None => Ok(()),
        Some(reason) => Err(OpenError::Unbound { role: row.try_get(0)?, reason }),
    }
}

fn unbound_because(row: &Row) -> Result<Option<String>, OpenError> {
    if row.try_get(1)? {
        return Ok(Some("it is a superuser".into()));
    }
    if row.try_get(2)? {
        return Ok(Some("it has BYPASSRLS".into()));
    }
    let open: Vec<String> = row.try_get(3)?;
    if open.is_empty() {
        return Ok(None);
    }
    let open = open.join(", ");
    Ok(Some(format!("it owns, or row-level security is switched off on, {open}")))
}
