//! A place to run the program in: a directory and a store of its own.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;
use weir_testkit::postgres::{Cluster, TestDatabase};
use weir_testkit::small_disk::SmallDisk;

use crate::patience::soon;
use crate::server::Server;

/// Which store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    Sqlite,
    Postgres,
}

pub const STORES: [Store; 2] = [Store::Sqlite, Store::Postgres];

/// Where the program runs, and the settings that it is given as variables.
pub struct Home {
    pub directory: Arc<TempDir>,
    variables: Vec<(&'static str, String)>,
    /// Words that the program is started through.
    through: Vec<String>,
    /// Held so that it is dropped with the last home on it.
    database: Option<Arc<TestDatabase>>,
}

impl Home {
    pub fn on(store: Store) -> Self {
        match store {
            Store::Sqlite => Self::new(),
            Store::Postgres => Self::in_cluster(Cluster::shared()),
        }
    }

    /// On a database of its own in this PostgreSQL.
    pub fn in_cluster(cluster: &Cluster) -> Self {
        let database =
            cluster.fresh_database(|url| drop(weir_store_postgres::migrate(url).unwrap()));
        let mut home = Self::new().with("WEIR_DATABASE", database.url());
        home.database = Some(Arc::new(database));
        home
    }

    /// The address of its PostgreSQL.
    pub fn database(&self) -> String {
        self.database.as_ref().unwrap().url()
    }

    /// Nothing is said about the store, so it is a file in the data directory.
    pub fn new() -> Self {
        let directory = Arc::new(tempfile::tempdir().unwrap());
        let data = directory.path().join("data").to_str().unwrap().to_owned();
        let variables = vec![("WEIR_DATA_DIR", data), ("WEIR_LISTEN", "127.0.0.1:0".to_owned())];
        Self { directory, variables, through: Vec::new(), database: None }
    }

    /// A place without any settings.
    pub fn bare() -> Self {
        Self { variables: Vec::new(), ..Self::new() }
    }

    /// One more node on the same store, with a data directory of its own.
    pub fn another_node(&self) -> Self {
        let node = Self { database: self.database.clone(), ..Self::new() };
        let settings = self.variables.iter().filter(|(name, _)| *name != "WEIR_DATA_DIR");
        settings.fold(node, |node, (name, value)| node.with(name, value))
    }

    /// The same place, to be given other settings.
    pub fn sharing(&self) -> Self {
        self.another_node().with("WEIR_DATA_DIR", self.data_dir().to_str().unwrap())
    }

    /// The same place, where programs listen on that address from now on.
    #[must_use]
    pub fn listening_on(self, address: SocketAddr) -> Self {
        self.with("WEIR_LISTEN", address.to_string())
    }

    /// The same place with its data on a disk that only programs which are started through it see.
    #[must_use]
    pub fn with_data_on(self, disk: &SmallDisk) -> Self {
        let data = disk.path().join("data").to_str().unwrap().to_owned();
        Self { through: disk.through(), ..self.with("WEIR_DATA_DIR", data) }
    }

    fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// With one more variable.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value.into()));
        self
    }

    /// The spools that lie here, whoever they belong to.
    pub fn spools(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.data_dir().join("spool")).unwrap();
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect()
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let words = self.through.iter().map(String::as_str).chain([env!("CARGO_BIN_EXE_weir")]);
        let mut words = words.chain(arguments.iter().copied());
        let mut command = Command::new(words.next().unwrap());
        command.args(words).current_dir(self.directory.path());
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).kill_on_drop(true);
        command
    }

    /// Runs a command to its end.
    pub async fn run(&self, arguments: &[&str]) -> Ran {
        let output = soon(self.command(arguments).output()).await.unwrap();
        Ran { what: arguments.join(" "), output }
    }

    /// Starts the service and waits until it listens.
    pub async fn serve(&self) -> Server {
        self.start(&["serve"]).await
    }

    /// The same, with other words.
    pub async fn start(&self, arguments: &[&str]) -> Server {
        Server::start(self.command(arguments), self.directory.clone()).await
    }

    /// Starts the service and kills it so soon that it may not even listen.
    pub async fn kill_while_it_starts(&self, after: Duration) {
        let mut command = self.command(&["serve"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        tokio::time::sleep(after).await;
        soon(child.kill()).await.unwrap();
    }

    /// Creates a reseller and returns its API key.
    pub async fn reseller(&self, name: &str, options: &[&str]) -> String {
        let arguments = [&["reseller", "create", "--name", name], options].concat();
        let created = self.run(&arguments).await.json();
        created["api_key"].as_str().unwrap().to_owned()
    }
}

/// A command that has ended.
#[derive(Debug)]
pub struct Ran {
    what: String,
    output: Output,
}

impl Ran {
    pub fn stdout(&self) -> &str {
        std::str::from_utf8(&self.output.stdout).unwrap()
    }

    pub fn stderr(&self) -> &str {
        std::str::from_utf8(&self.output.stderr).unwrap()
    }

    /// What a command that was carried out printed.
    pub fn said(&self) -> &str {
        assert!(self.output.status.success(), "{self:?}");
        self.stdout()
    }

    /// The one JSON value that a command that was carried out printed, on one line.
    pub fn json(&self) -> Value {
        let said = self.said();
        assert_eq!(said.matches('\n').count(), 1, "{self:?}");
        serde_json::from_str(said).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Why a command was refused: the reason stands on stderr, and nothing on stdout.
    pub fn refusal(&self) -> &str {
        assert!(self.output.status.code().is_some_and(|code| code > 0), "{self:?}");
        assert_eq!(self.stdout(), "", "{}", self.what);
        assert!(!self.stderr().trim().is_empty(), "{} says nothing", self.what);
        self.stderr()
    }
}
