//! PostgreSQL's own programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where `initdb` and `pg_ctl` are, and as whom they run.
#[derive(Debug)]
pub struct Programs {
    folder: PathBuf,
    /// PostgreSQL refuses to run as root; root runs it as the user that the system keeps for it.
    as_postgres: bool,
}

impl Programs {
    /// Finds them on the path, else the newest version where distributions put them.
    pub fn find() -> Self {
        let folder = on_path()
            .or_else(newest_installed)
            .unwrap_or_else(|| panic!("no PostgreSQL: neither on PATH nor in /usr/lib/postgresql"));
        Self { folder, as_postgres: rustix::process::geteuid().is_root() }
    }

    /// Gives a directory to the user that the server runs as.
    pub fn own(&self, directory: &Path) {
        if self.as_postgres {
            run(Command::new("chown").arg("postgres").arg(directory));
        }
    }

    /// Makes a data directory.
    pub fn initdb(&self, data: &Path) {
        let mut initdb = self.command("initdb");
        initdb.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
        run(initdb.arg("-D").arg(data));
    }

    /// `pg_ctl` for a data directory, that neither speaks nor keeps our streams open.
    pub fn pg_ctl(&self, data: &Path) -> Command {
        let mut pg_ctl = self.command("pg_ctl");
        pg_ctl.arg("-D").arg(data);
        pg_ctl.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        pg_ctl
    }

    fn command(&self, name: &str) -> Command {
        let program = self.folder.join(name);
        let mut command = if self.as_postgres {
            let mut runuser = Command::new("runuser");
            runuser.args(["-u", "postgres", "--"]).arg(program);
            runuser
        } else {
            Command::new(program)
        };
        // The server's user may have no business in the directory that the tests run in.
        command.current_dir("/");
        command
    }
}

fn run(command: &mut Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} does not run: {error}"));
    assert!(output.status.success(), "{command:?} failed: {output:?}");
}

fn on_path() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "where programs are is no setting of the service"
    )]
    let path = std::env::var_os("PATH")?;
    // A link on the path may be the only program there; its neighbours are where it leads.
    let found = std::env::split_paths(&path).find_map(|f| f.join("initdb").canonicalize().ok())?;
    found.parent().filter(|folder| folder.join("pg_ctl").exists()).map(Path::to_owned)
}

fn newest_installed() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    versions
        .filter_map(|version| {
            let number: u32 = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        })
        .filter(|(_, folder)| folder.join("initdb").exists() && folder.join("pg_ctl").exists())
        .max()
        .map(|(_, folder)| folder)
}
