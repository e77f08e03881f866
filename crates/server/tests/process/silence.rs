//! A PostgreSQL that says nothing more, as a machine that hangs or a network that is cut.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::client::INGEST;
use crate::fleet::{Fleet, TENANT};
use crate::home::{Home, Store};
use crate::patience::until;
use crate::traffic::Traffic;

/// How long network servers wait for an answer.
const NETWORK_SERVERS_WAIT: Duration = Duration::from_secs(5);

/// Passes on what is said between the service and its PostgreSQL, or holds it back.
struct Line {
    address: SocketAddr,
    is_cut: watch::Sender<bool>,
}

impl Line {
    async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = watch::Sender::new(false);
        let news = is_cut.subscribe();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(server).await else { continue };
                let ((from_client, to_client), (from_server, to_server)) =
                    (client.into_split(), server.into_split());
                tokio::spawn(pass_on(from_client, to_server, news.clone()));
                tokio::spawn(pass_on(from_server, to_client, news.clone()));
            }
        });
        Self { address, is_cut }
    }

    fn cut(&self, is_cut: bool) {
        self.is_cut.send_replace(is_cut);
    }
}

async fn pass_on(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut cut: watch::Receiver<bool>) {
    let mut words = [0; 16 << 10];
    while let Ok(count @ 1..) = from.read(&mut words).await {
        if cut.wait_for(|is_cut| !is_cut).await.is_err()
            || to.write_all(&words[..count]).await.is_err()
        {
            return;
        }
    }
}

/// A home whose store is reached through a line that can be cut.
async fn home() -> (Home, Line) {
    let home = Home::on(Store::Postgres);
    let url = home.database();
    let (start, rest) = url.split_once("127.0.0.1:").unwrap();
    let (port, name) = rest.split_once('/').unwrap();
    let line = Line::to(format!("127.0.0.1:{port}").parse().unwrap()).await;
    let home = home.with("WEIR_DATABASE", format!("{start}{}/{name}", line.address));
    (home, line)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uplinks_are_answered_in_time_though_the_store_says_nothing() {
    let (home, line) = home().await;
    // A small quota, so that leases are short and have to be asked for while nobody answers.
    let key = home.reseller(TENANT, &["--quota", "4000"]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Arc::new(Fleet::register(&mut client, 4, 0).await);
    let traffic = Traffic::prepare(&fleet, &key, 8);
    traffic.post_to(&[server.address]);
    traffic.more(400).await;
    line.cut(true);
    traffic.more(200).await;
    let health =
        async || server.anybody().get("/health").await.data()["store"]["reachable"].clone();
    until(health, |reachable| *reachable == false).await;
    traffic.more(200).await;
    line.cut(false);
    until(async || client.get("/api/v1/devices").await.status, |status| *status == 200).await;
    traffic.more(100).await;
    let book = traffic.stop().await;
    assert!(book.slowest < NETWORK_SERVERS_WAIT, "an answer took {:?}", book.slowest);
    let found = book.check(&fleet, &mut client).await;
    assert_eq!((book.lost(), found.readings), (0, found.acknowledged));
    server.stop(Signal::TERM).await;
    let server = home.serve().await;
    book.check_quota(&fleet, &mut server.settled(&key).await, &found).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_stops_in_time_though_the_store_says_nothing() {
    let (home, line) = home().await;
    let key = home.reseller(TENANT, &[]).await;
    let server = home.serve().await;
    let mut client = server.client(&key);
    let fleet = Fleet::register(&mut client, 1, 0).await;
    assert_eq!(client.post(INGEST, &fleet.of_meter(0, 0)).await.status, 200);
    line.cut(true);
    for number in 1..50 {
        assert_eq!(client.post(INGEST, &fleet.of_meter(0, number)).await.status, 200);
    }
    server.stop(Signal::TERM).await;
    assert_eq!(home.spools().len(), 1);

    line.cut(false);
    let server = home.serve().await;
    let history = fleet.history(&mut server.settled(&key).await, 0).await;
    assert_eq!(history, (0..50).collect::<Vec<_>>());
}
