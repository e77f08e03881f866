//! A running service.

use std::fs;
use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use crate::client::{Client, INGEST};
use crate::patience::{soon, until};

/// How soon the service ends when it is asked to.
const STOPPING: Duration = Duration::from_secs(10);

/// A process that serves. It dies with this value.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    log: Arc<Mutex<String>>,
    said: Arc<Mutex<String>>,
    /// Held so that its directory is there for as long as it runs.
    _home: Arc<TempDir>,
}

impl Server {
    /// How much memory it has to itself.
    pub fn memory_kilobytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap()));
        let status = status.unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Starts a process and waits until it says where it listens.
    pub async fn start(mut command: Command, home: Arc<TempDir>) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let (mut spoken, kept) =
            (BufReader::new(child.stdout.take().unwrap()).lines(), said.clone());
        tokio::spawn(async move {
            while let Ok(Some(line)) = spoken.next_line().await {
                *kept.lock().unwrap() += &(line + "\n");
            }
        });
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let (tell, listening) = oneshot::channel();
        let kept = log.clone();
        // To the end: a process whose log nobody reads comes to a halt.
        tokio::spawn(async move {
            let mut tell = Some(tell);
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some((_, address)) = line.split_once("listening on http://")
                    && let Some(tell) = tell.take()
                {
                    let _ = tell.send(address.trim().parse().unwrap());
                }
                let mut log = kept.lock().unwrap();
                log.push_str(&line);
                log.push('\n');
            }
        });
        let Ok(address) = soon(listening).await else {
            panic!("it never listened: {}", log.lock().unwrap())
        };
        Self { child, address, log, said, _home: home }
    }

    /// Somebody who asks it with an API key.
    pub fn client(&self, api_key: &str) -> Client {
        Client::new(self.address, Some(api_key))
    }

    /// The same, once what earlier processes left is settled: until then reads may be refused.
    pub async fn settled(&self, api_key: &str) -> Client {
        let mut client = self.client(api_key);
        until(async || client.get("/api/v1/devices?limit=1").await, |it| it.status == 200).await;
        client
    }

    /// Somebody without credentials.
    pub fn anybody(&self) -> Client {
        Client::new(self.address, None)
    }

    /// Begins to post an uplink: the service has its head, and asks for its body.
    pub async fn begin(&self, api_key: &str, length: usize) -> BufReader<TcpStream> {
        let mut stream = BufReader::new(TcpStream::connect(self.address).await.unwrap());
        let head = format!(
            "POST {INGEST} HTTP/1.1\r\nhost: weir\r\nx-api-key: {api_key}\r\n\
             expect: 100-continue\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut line = String::new();
        soon(stream.read_line(&mut line)).await.unwrap();
        assert_eq!(line, "HTTP/1.1 100 Continue\r\n");
        soon(stream.read_line(&mut line)).await.unwrap();
        stream
    }

    /// How long it has kept processors busy so far.
    pub fn computing_time(&self) -> Duration {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id().unwrap())).unwrap();
        // Behind the name, which may hold anything: the 12th and 13th figure, in ticks of 10 ms.
        let (_, figures) = stat.rsplit_once(") ").unwrap();
        let ticks = figures.split(' ').skip(11).take(2).map(|it| it.parse::<u64>().unwrap());
        Duration::from_millis(10 * ticks.sum::<u64>())
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// What it has printed so far.
    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    pub fn signal(&self, signal: Signal) {
        let pid = self.child.id().and_then(|id| Pid::from_raw(id.cast_signed())).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// Kills it, as the kernel does with who takes too much memory.
    pub async fn kill(mut self) {
        self.child.start_kill().unwrap();
        soon(self.child.wait()).await.unwrap();
    }

    /// Waits until it has ended by itself.
    pub async fn ended(&mut self) -> ExitStatus {
        soon(self.child.wait()).await.unwrap()
    }

    /// Asks it to stop, and holds it to its promise: status 0 within ten seconds. Says how long it took.
    pub async fn stop(mut self, signal: Signal) -> Duration {
        let asked = Instant::now();
        self.signal(signal);
        let status = self.ended().await;
        assert!(status.success(), "{status}");
        let took = asked.elapsed();
        assert!(took < STOPPING, "it took {took:?} to stop");
        took
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self.log.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            #[expect(clippy::print_stderr, reason = "whoever reads of the failure needs it")]
            {
                eprintln!("--- the log of {}:\n{log}---", self.address);
            }
        }
    }
}
