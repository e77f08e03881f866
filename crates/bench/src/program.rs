//! The `weir` program: its commands, and the service as a child process.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;
use tokio::process::{Child, Command};

use crate::endpoint::Endpoint;
use crate::failure::Failure;

/// How long the service may take to come up, and to go down.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long it may take to come up while it makes its demonstration.
const PATIENCE_WITH_DEMONSTRATION: Duration = Duration::from_secs(300);

/// How much of the service's log is shown when it fails.
const LOG_TAIL: usize = 4_000;

/// The program, a directory that is its own, and the store that it uses.
#[derive(Debug)]
pub struct Program {
    /// Where the program is.
    pub path: PathBuf,
    /// Where it may write.
    pub dir: PathBuf,
    /// The store's URL.
    pub database: String,
}

/// What is printed of a new reseller, as far as it matters here.
#[derive(Debug, Deserialize)]
struct Reseller {
    api_key: String,
}

impl Program {
    /// Creates a reseller whose quota will do, and returns its API key.
    pub async fn create_reseller(&self, name: &str) -> Result<String, Failure> {
        let args = ["reseller", "create", "--name", name, "--quota", "1000000000"];
        let printed = self.run(&args).await?;
        let created: Result<Reseller, _> = serde_json::from_slice(&printed);
        let unexpected =
            |error| Failure::Unexpected { command: args.join(" "), wanted: "reseller", error };
        Ok(created.map_err(unexpected)?.api_key)
    }

    /// Brings the store's schema up to date.
    pub async fn migrate(&self) -> Result<(), Failure> {
        self.run(&["migrate"]).await.map(drop)
    }

    /// Starts the service and waits until it is healthy.
    pub async fn serve(&self) -> Result<Service, Failure> {
        self.start(&[], Stdio::null(), PATIENCE).await
    }

    /// The same with the demonstration; with the path of the link that it prints, which signs in once.
    pub async fn demonstrate(&self) -> Result<(Service, String), Failure> {
        let printed = self.dir.join("weir.out");
        let unprinted = |error| Failure::io("there is no place for an invitation", error);
        let out = std::fs::File::create(&printed).map_err(unprinted)?;
        let patience = PATIENCE_WITH_DEMONSTRATION;
        let service = self.start(&["--demo"], out.into(), patience).await?;
        let invitation = std::fs::read_to_string(printed).map_err(unprinted)?;
        match path_of_link(&invitation) {
            Some(path) => Ok((service, path.to_owned())),
            None => Err(service.failure("prints no link that signs in".to_owned())),
        }
    }

    async fn start(
        &self,
        options: &[&str],
        out: Stdio,
        patience: Duration,
    ) -> Result<Service, Failure> {
        let address = free_address()?;
        let log = self.dir.join("weir.log");
        let failed = |error| Failure::io("the service cannot be started", error);
        let mut command = self.command(&["serve", "--listen", &address.to_string()]);
        command.args(options).stdout(out);
        command.stderr(std::fs::File::create(&log).map_err(failed)?);
        let child = command.spawn().map_err(failed)?;
        let mut service = Service { child, address, log };
        service.wait_until_healthy(patience).await?;
        Ok(service)
    }

    /// Runs a command to its end and returns what it printed.
    async fn run(&self, args: &[&str]) -> Result<Vec<u8>, Failure> {
        let failed = |error| Failure::io(format!("{:?} cannot be run", self.path), error);
        let output = self.command(args).output().await.map_err(failed)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(Failure::Command {
            command: args.join(" "),
            status: output.status,
            said: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }

    /// In a directory without a settings file and without variables: the figures are those of the
    /// built-in settings, whoever measures.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(args).args(["--database", &self.database]);
        command.arg("--data-dir").arg(&self.dir).current_dir(&self.dir);
        command.env_clear().stdin(Stdio::null()).kill_on_drop(true);
        command
    }
}

/// A running service. It is killed where it is dropped before it was stopped.
#[derive(Debug)]
pub struct Service {
    child: Child,
    address: SocketAddr,
    log: PathBuf,
}

impl Service {
    /// How to speak to it for the reseller with this key.
    pub fn endpoint(&self, api_key: String) -> Endpoint {
        Endpoint { address: self.address, api_key }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Asks it to stop and waits until it has; it must end well.
    pub async fn stop(mut self) -> Result<(), Failure> {
        if let Some(pid) = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            kill_process(pid, Signal::TERM)
                .map_err(|error| Failure::io("the service cannot be told to stop", error.into()))?;
        }
        let Ok(ended) = tokio::time::timeout(PATIENCE, self.child.wait()).await else {
            return Err(self.failure(format!("did not stop within {PATIENCE:?}")));
        };
        match ended.map_err(|error| Failure::io("the service cannot be waited for", error))? {
            status if status.success() => Ok(()),
            status => Err(self.failure(format!("ended with {status}"))),
        }
    }

    async fn wait_until_healthy(&mut self, patience: Duration) -> Result<(), Failure> {
        let endpoint = self.endpoint(String::new());
        let begun = Instant::now();
        while begun.elapsed() < patience {
            if let Ok((200, _)) = endpoint.get("/health").await {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                return Err(self.failure(format!("ended with {status} before it was healthy")));
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Err(self.failure(format!("was not healthy within {patience:?}")))
    }

    fn failure(&self, how: String) -> Failure {
        Failure::Service { how, log: tail(&self.log) }
    }
}

/// The path of the link in an invitation.
fn path_of_link(invitation: &str) -> Option<&str> {
    let link = invitation.split_whitespace().find(|word| word.contains("token="))?;
    link.find("/auth/").map(|start| &link[start..])
}

fn tail(log: &Path) -> String {
    let text = std::fs::read(log).unwrap_or_default();
    let start = text.len().saturating_sub(LOG_TAIL);
    String::from_utf8_lossy(&text[start..]).into_owned()
}

/// An address on this machine at which nobody listens.
fn free_address() -> Result<SocketAddr, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    listener
        .and_then(|listener| listener.local_addr())
        .map_err(|error| Failure::io("there is no free port", error))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    /// A shell in the program's place: it takes the command's first word for a script in the
    /// directory.
    fn script(command: &str, text: &str) -> (TempDir, Program) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(command), text).unwrap();
        let database = "sqlite:weir.db".into();
        let program = Program { path: "/bin/sh".into(), dir: dir.path().to_owned(), database };
        (dir, program)
    }

    #[tokio::test]
    async fn a_reseller_is_created_with_the_settings_of_the_service() {
        let text = r#"[ "$1 $3 $6" = "create Bench --database" ] && [ "$9" = "$PWD" ] || exit 1
            echo '{"reseller_id": "1", "name": "Bench", "api_key": "weir_key"}'"#;
        let (_dir, program) = script("reseller", text);
        assert_eq!(program.create_reseller("Bench").await.unwrap(), "weir_key");
    }

    #[tokio::test]
    async fn what_a_command_says_is_told() {
        let (_dir, program) = script("migrate", "echo the disk is full >&2; exit 3");
        let failure = program.migrate().await.unwrap_err().to_string();
        assert!(
            failure.contains("weir migrate") && failure.contains("the disk is full"),
            "{failure}"
        );
        let (_dir, program) = script("reseller", "echo Bench was created");
        let failure = program.create_reseller("Bench").await.unwrap_err().to_string();
        assert!(failure.contains("printed no reseller"), "{failure}");
    }

    #[test]
    fn the_link_is_found_in_the_invitation() {
        let invitation =
            "Weir is at http://localhost:1\n  http://localhost:1/auth/in?token=a-b\nTry:\n";
        assert_eq!(path_of_link(invitation), Some("/auth/in?token=a-b"));
        assert_eq!(path_of_link("Weir is at http://localhost:1/auth/"), None);
    }

    #[tokio::test]
    async fn a_service_that_ends_early_is_not_waited_for() {
        let (_dir, program) = script("serve", "echo the store is too new >&2; exit 4");
        let failure = program.serve().await.unwrap_err().to_string();
        assert!(failure.contains("before it was healthy"), "{failure}");
        assert!(failure.contains("the store is too new"), "{failure}");
    }
}
