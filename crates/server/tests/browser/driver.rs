//! The program that drives the browser.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::patience::soon;

/// What Debian's package is called by.
const PROGRAM: &str = "chromedriver";

/// A running driver. It ends with this value, and whatever it started with it.
pub struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// Starts one on a port of its own choice, and waits until it says which.
    pub async fn start() -> Self {
        let mut command = Command::new(PROGRAM);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.process_group(0).kill_on_drop(true).spawn();
        let mut child = child.unwrap_or_else(|error| {
            panic!("{PROGRAM} does not run, scripts/install-tools installs it: {error}")
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let port = soon(async {
            loop {
                let line = lines.next_line().await.unwrap().expect("a driver that says its port");
                if let Some(port) = port_in(&line) {
                    return port;
                }
            }
        });
        let port = port.await;
        // To the end: a process whose words nobody reads comes to a halt.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Self { child, port }
    }

    /// Where it is spoken to.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let pid = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(pid) = pid {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}

/// The port in the line that tells of a good start; the first line names the one that was asked for.
fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("started successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

#[test]
fn the_port_is_read_from_the_line_that_tells_of_the_start() {
    assert_eq!(port_in("ChromeDriver was started successfully on port 41337."), Some(41_337));
    assert_eq!(port_in("Starting ChromeDriver 150.0 (0) on port 0"), None);
}
