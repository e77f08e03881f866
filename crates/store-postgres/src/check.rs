//! What is to be said about a database before serving from it.

use tokio_postgres::Client;

use crate::address::{APPLICATION, Address};
use crate::error::OpenError;
use crate::schema::Standing;
use crate::{Options, migrate, partition, schema, thread};

/// One sentence of a diagnosis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Whether it keeps the service from running as it should.
    pub is_trouble: bool,
    /// What was found.
    pub sentence: String,
}

impl Finding {
    fn fine(sentence: impl Into<String>) -> Self {
        Self { is_trouble: false, sentence: sentence.into() }
    }

    fn trouble(sentence: impl Into<String>) -> Self {
        Self { is_trouble: true, sentence: sentence.into() }
    }
}

/// Looks at a database and says what it finds; changes nothing.
pub fn check(url: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let looked = Address::parse(url, Options::default()).and_then(|address| {
        thread::apart("weir-postgres-check", async {
            let (client, connection) = address.connect().await?;
            tokio::spawn(connection);
            look(&address, &client, &mut findings).await
        })
    });
    // What could not be found out keeps the rest from being looked at.
    findings.extend(looked.err().map(|error| Finding::trouble(error.to_string())));
    findings
}

async fn look(
    address: &Address,
    client: &Client,
    findings: &mut Vec<Finding>,
) -> Result<(), OpenError> {
    let version = schema::server_version(client).await?;
    findings.push(Finding::fine(format!("the server is PostgreSQL {version}")));
    let login = schema::login(client).await?;
    let may_migrate = schema::may_migrate(client).await?;
    let may = if may_migrate { "may" } else { "may not" };
    findings.push(Finding::fine(format!("the login {login} {may} migrate the schema")));
    let known = migrate::latest_version();
    match schema::standing(client).await? {
        Standing::Current => {
            findings.push(Finding::fine(format!("the schema is up to date (version {known})")));
        }
        Standing::Ahead(found) => return Err(OpenError::TooNew { found, known }),
        Standing::Behind if may_migrate => {
            findings.push(Finding::trouble("the schema is missing or old: run `weir migrate`"));
            return Ok(());
        }
        Standing::Behind => return Err(OpenError::NotMigrated),
    }
    findings.push(if partition::are_ahead(client).await? {
        Finding::fine("the coming months have partitions for their readings")
    } else {
        Finding::trouble("some of the coming months have no partition: run `weir migrate`")
    });
    address.serve_as_application(client).await?;
    findings.push(Finding::fine(format!("row-level security binds the role {APPLICATION}")));
    Ok(())
}
