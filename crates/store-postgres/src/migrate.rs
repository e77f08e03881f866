//! Bringing the schema up to date, with an owner's login.

use tokio_postgres::Client;

use crate::address::Address;
use crate::error::{OpenError, chain};
use crate::schema::Standing;
use crate::{Options, distribute, partition, schema, thread};

mod embedded {
    refinery::embed_migrations!("migrations");
}

/// Whoever migrates a database holds this advisory lock, so that nodes that start together take turns.
const TURN: i64 = 0x77_65_69_72;

/// The role that serves. Databases of one server share their roles, so another migration may be
/// making it at this moment; and a login that made it is not by that alone allowed to take it.
const ROLE: &str = "
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'weir_app') THEN
        CREATE ROLE weir_app LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
DO $$ BEGIN
    IF NOT pg_has_role('weir_app', CASE
        WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END)
    THEN
        GRANT weir_app TO CURRENT_USER;
    END IF;
EXCEPTION WHEN unique_violation OR internal_error THEN NULL;
END $$;";

/// Brings the schema of a database up to date and returns the names of the migrations that were
/// missing. Also makes the role that serves, and the partitions of the months to come.
pub fn migrate(url: &str) -> Result<Vec<String>, OpenError> {
    let address = Address::parse(url, Options::default())?;
    thread::apart("weir-postgres-migrate", async move {
        let (mut client, connection) = address.connect().await?;
        tokio::spawn(connection);
        schema::server_version(&client).await?;
        bring_up_to_date(&mut client).await
    })
}

/// The same on a connection that is there. Where nothing is missing, any login will do.
pub(crate) async fn bring_up_to_date(client: &mut Client) -> Result<Vec<String>, OpenError> {
    let may_migrate = schema::may_migrate(client).await?;
    match schema::standing(client).await? {
        Standing::Ahead(found) => {
            return Err(OpenError::TooNew { found, known: latest_version() });
        }
        Standing::Behind if !may_migrate => return Err(OpenError::NotMigrated),
        Standing::Current if !may_migrate => return Ok(Vec::new()),
        Standing::Behind | Standing::Current => {}
    }
    // One that hangs must not hold up every start for ever.
    client.batch_execute("SET lock_timeout = '60s'").await?;
    client.query_one("SELECT pg_advisory_lock($1)", &[&TURN]).await.map_err(failed)?;
    let applied = apply(client).await;
    client.query_one("SELECT pg_advisory_unlock($1)", &[&TURN]).await?;
    applied
}

async fn apply(client: &mut Client) -> Result<Vec<String>, OpenError> {
    client.batch_execute(ROLE).await.map_err(failed)?;
    let report = embedded::migrations::runner().run_async(client).await.map_err(failed)?;
    distribute::distribute(client).await.map_err(failed)?;
    partition::make_ahead(client).await.map_err(failed)?;
    Ok(report.applied_migrations().iter().map(ToString::to_string).collect())
}

/// The version of the last migration that this program knows.
pub(crate) fn latest_version() -> i32 {
    let runner = embedded::migrations::runner();
    runner.get_migrations().iter().map(|migration| migration.version()).max().unwrap_or(0)
}

fn failed(error: impl std::error::Error) -> OpenError {
    OpenError::Migration(chain(&error))
}

#[cfg(test)]
mod tests;
