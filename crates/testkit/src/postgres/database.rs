//! One test's database.

use std::thread;

use tokio_postgres::NoTls;

/// A database of one test, dropped with the value.
#[derive(Debug)]
pub struct TestDatabase {
    server: String,
    port: u16,
    name: String,
}

impl TestDatabase {
    pub(super) fn new(server: String, port: u16, name: String) -> Self {
        Self { server, port, name }
    }

    /// Its address, with the superuser's login.
    pub fn url(&self) -> String {
        self.url_as("postgres")
    }

    /// Its address, with the login of another role.
    pub fn url_as(&self, role: &str) -> String {
        url(role, self.port, &self.name)
    }

    /// Runs statements as the superuser.
    pub fn execute(&self, statements: &str) {
        execute(&self.url(), statements);
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let statement = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // Its server may have been stopped for good: then the database is gone as well.
        let _ = try_execute(&self.server, &statement);
    }
}

pub(super) fn url(role: &str, port: u16, database: &str) -> String {
    format!("postgres://{role}@127.0.0.1:{port}/{database}")
}

pub(super) fn execute(url: &str, statements: &str) {
    try_execute(url, statements).unwrap_or_else(|error| panic!("{statements}: {error:?}"));
}

/// On a thread of its own, because the caller may be on a runtime that must not be blocked inside.
fn try_execute(url: &str, statements: &str) -> Result<(), tokio_postgres::Error> {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("no runtime: {error}"));
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            let driver = tokio::spawn(connection);
            let outcome = client.batch_execute(statements).await;
            // A session must have ended before its database can be copied.
            drop(client);
            let _ = driver.await;
            outcome
        })
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("weir-testkit-sql".into());
        let thread = thread.spawn_scoped(scope, run);
        let thread = thread.unwrap_or_else(|error| panic!("no thread: {error}"));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
