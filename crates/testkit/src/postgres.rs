//! A real PostgreSQL for tests, started from the system's own programs.
//!
//! [`Cluster::shared`] is started once per test process; each test takes a database of its own from
//! it with [`Cluster::fresh_database`]. A test about outages starts a [`Cluster`] for itself, stops it
//! and starts it again: it comes back on the same port.
//!
//! ```no_run
//! use weir_testkit::postgres::Cluster;
//! let database = Cluster::shared().fresh_database(|url| { /* migrate(url) */ });
//! database.execute("SELECT 1");
//! ```
//!
//! A cluster ends, and its directory vanishes, when it is dropped or when the test process ends,
//! however it ends. Anything that goes wrong here panics: it is for tests.

mod database;
mod programs;
mod watchdog;

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Pid, Signal, kill_process};

pub use database::TestDatabase;
use programs::Programs;
use watchdog::Watchdog;

/// How a server is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It tells its clients and shuts down in order.
    Fast,
    /// It drops everything and recovers when it is started again.
    Immediate,
}

/// A PostgreSQL server with a directory and a port of its own. Its superuser is `postgres`; every
/// role may log in from this machine without a password.
#[derive(Debug)]
pub struct Cluster {
    programs: Programs,
    directory: PathBuf,
    port: u16,
    manner: &'static str,
    template: OnceLock<()>,
    databases: AtomicU32,
    _watchdog: Watchdog,
}

/// What makes a server quick to start and easy on a machine that runs many tests.
const HASTY: &str = "-c fsync=off -c shared_buffers=16MB -c autovacuum=off";

/// The name of the migrated database that fresh ones are copied from.
const TEMPLATE: &str = "weir_template";

impl Cluster {
    /// The cluster of this test process, started by whoever asks first.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Cluster> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// A cluster that nobody else uses.
    pub fn start() -> Self {
        Self::start_with(HASTY)
    }

    /// The same, set up as PostgreSQL is by itself: to be measured, not to be hurried along.
    pub fn start_in_earnest() -> Self {
        Self::start_with("")
    }

    fn start_with(manner: &'static str) -> Self {
        let programs = Programs::find();
        let directory = tempfile::Builder::new()
            .prefix("weir-postgres-")
            .tempdir()
            .unwrap_or_else(|error| panic!("no directory for a PostgreSQL: {error}"))
            .keep();
        let watchdog = Watchdog::start(&programs, &directory);
        programs.own(&directory);
        programs.initdb(&data(&directory));
        let mut cluster = Self {
            programs,
            directory,
            port: 0,
            manner,
            template: OnceLock::new(),
            databases: AtomicU32::new(0),
            _watchdog: watchdog,
        };
        // Between looking and listening somebody else may have taken the port.
        let found = ports().take(50).any(|port| {
            cluster.port = port;
            is_free(port) && cluster.try_start()
        });
        assert!(found, "PostgreSQL does not start: {}", cluster.log());
        cluster
    }

    /// Starts the server again after it was stopped or killed, on the same port.
    pub fn start_again(&self) {
        // The last processes of a killed server may still hold its memory; every attempt waits a
        // moment for itself.
        let started = (0..50).any(|_| self.try_start());
        assert!(started, "PostgreSQL does not start again: {}", self.log());
    }

    /// Stops the server and waits until it has.
    pub fn stop(&self, how: Stop) {
        let mode = match how {
            Stop::Fast => "fast",
            Stop::Immediate => "immediate",
        };
        let data = data(&self.directory);
        let stopped = self.programs.pg_ctl(&data).args(["-w", "-m", mode, "stop"]).output();
        let stopped = stopped.unwrap_or_else(|error| panic!("pg_ctl does not run: {error}"));
        assert!(stopped.status.success(), "PostgreSQL does not stop: {stopped:?}");
    }

    /// Kills the server, as a machine that fails does.
    pub fn kill(&self) {
        let file = data(&self.directory).join("postmaster.pid");
        let text = fs::read_to_string(file).unwrap_or_default();
        let pid = text.lines().next().and_then(|line| line.parse().ok()).and_then(Pid::from_raw);
        let pid = pid.unwrap_or_else(|| panic!("no PostgreSQL runs: {text:?}"));
        kill_process(pid, Signal::KILL)
            .unwrap_or_else(|error| panic!("PostgreSQL cannot be killed: {error}"));
        while !is_free(self.port) {
            std::thread::yield_now(); // a killed process is gone a moment later
        }
    }

    /// A database that nobody else uses, dropped with the value. The first caller's `migrate` is
    /// given the address of an empty database, of which this and all later ones are copies.
    pub fn fresh_database(&self, migrate: impl FnOnce(&str)) -> TestDatabase {
        self.template.get_or_init(|| {
            database::execute(&self.url("postgres"), &format!("CREATE DATABASE {TEMPLATE}"));
            migrate(&self.url(TEMPLATE));
        });
        // Copying files is the fastest way for a small database that nobody uses.
        self.create(&format!(" TEMPLATE {TEMPLATE} STRATEGY file_copy"))
    }

    /// A database that nobody else uses and that holds nothing, dropped with the value.
    pub fn empty_database(&self) -> TestDatabase {
        self.create("")
    }

    fn create(&self, options: &str) -> TestDatabase {
        let name = format!("weir_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let server = self.url("postgres");
        database::execute(&server, &format!("CREATE DATABASE {name}{options}"));
        TestDatabase::new(server, self.port, name)
    }

    fn url(&self, database: &str) -> String {
        database::url("postgres", self.port, database)
    }

    fn try_start(&self) -> bool {
        let mut pg_ctl = self.programs.pg_ctl(&data(&self.directory));
        pg_ctl.arg("-l").arg(self.directory.join("log")).args(["-w", "-t", "30", "-s"]);
        pg_ctl.arg("-o").arg(self.settings()).arg("start");
        let status = pg_ctl.status().unwrap_or_else(|error| panic!("pg_ctl does not run: {error}"));
        status.success()
    }

    fn settings(&self) -> String {
        format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{}' \
             -c max_connections=200 {}",
            self.port,
            self.directory.display(),
            self.manner
        )
    }

    fn log(&self) -> String {
        fs::read_to_string(self.directory.join("log")).unwrap_or_default()
    }
}

fn data(directory: &Path) -> PathBuf {
    directory.join("data")
}

/// Ports to try, below those that systems hand out to clients: a port from there could be taken by
/// any connection while the server is stopped.
fn ports() -> impl Iterator<Item = u16> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(7919);
    std::iter::repeat_with(move || {
        let n = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        20_000 + (n % 12_000) as u16
    })
}

fn is_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_databases_are_copies_that_share_nothing() {
        let migrate = |url: &str| database::execute(url, "CREATE TABLE meter (id int)");
        let (one, other) =
            (Cluster::shared().fresh_database(migrate), Cluster::shared().fresh_database(migrate));
        one.execute("INSERT INTO meter VALUES (1)");
        other.execute("INSERT INTO meter VALUES (1 / (1 - (SELECT count(*) FROM meter)))");
        assert_ne!(one.url(), other.url());
    }

    #[test]
    fn a_cluster_comes_back_on_its_port_and_leaves_nothing_behind() {
        let cluster = Cluster::start();
        let database = cluster.empty_database();
        let ends: [fn(&Cluster); 3] =
            [|it| it.stop(Stop::Fast), |it| it.stop(Stop::Immediate), Cluster::kill];
        for end in ends {
            end(&cluster);
            assert!(is_free(cluster.port));
            cluster.start_again();
            database.execute("SELECT 1");
        }
        drop(database);
        let (directory, port) = (cluster.directory.clone(), cluster.port);
        drop(cluster);
        assert!(!directory.exists());
        assert!(is_free(port));
    }
}
