//! Senders that post uplinks without a pause, as network servers do: they neither stop for a service
//! that dies nor send anything twice, unless that is what is tried.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::book::{Book, From, Kind, Uplink};
use crate::client::{Client, INGEST};
use crate::fleet::Fleet;
use crate::patience::{PATIENCE, soon};

/// What senders are to do.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Order {
    Wait,
    /// Each posts to one of these, on a connection that it keeps.
    Post(Vec<SocketAddr>),
    /// The same, and every other one opens a new connection for each uplink.
    PostAnew(Vec<SocketAddr>),
    Stop,
}

/// A crowd of senders, each with a connection of its own.
pub struct Traffic {
    orders: watch::Sender<Order>,
    shared: Arc<Shared>,
    senders: JoinSet<()>,
}

struct Shared {
    fleet: Arc<Fleet>,
    api_key: String,
    next: AtomicU64,
    book: Mutex<Book>,
    acknowledged: watch::Sender<u64>,
    refused: watch::Sender<u64>,
}

impl Traffic {
    /// Senders that wait to be told where to post.
    pub fn prepare(fleet: &Arc<Fleet>, api_key: &str, senders: usize) -> Self {
        let (orders, _) = watch::channel(Order::Wait);
        let shared = Arc::new(Shared {
            fleet: fleet.clone(),
            api_key: api_key.to_owned(),
            next: AtomicU64::new(1),
            book: Mutex::new(Book::of(fleet)),
            acknowledged: watch::Sender::new(0),
            refused: watch::Sender::new(0),
        });
        let mut crowd = JoinSet::new();
        for number in 0..senders {
            crowd.spawn(shared.clone().send(number, orders.subscribe()));
        }
        Self { orders, shared, senders: crowd }
    }

    /// Posts to these services from now on.
    pub fn post_to(&self, addresses: &[SocketAddr]) {
        self.orders.send_replace(Order::Post(addresses.to_vec()));
    }

    /// The same, and every other sender opens a new connection for each uplink.
    pub fn post_anew_to(&self, addresses: &[SocketAddr]) {
        self.orders.send_replace(Order::PostAnew(addresses.to_vec()));
    }

    /// From now on anybody may be refused with 503.
    pub fn expect_refusals(&self) {
        self.shared.book.lock().unwrap().expects_refusals = true;
    }

    /// Waits until so many more are acknowledged.
    pub async fn more(&self, count: u64) {
        let reached = rises(&self.shared.acknowledged, count, PATIENCE).await;
        assert!(reached, "nothing is acknowledged any more: {:?}", self.surprises());
    }

    /// Waits until so many more are refused. It may take many others that are not.
    pub async fn more_refusals(&self, count: u64) {
        let reached = rises(&self.shared.refused, count, PATIENCE * 20).await;
        assert!(reached, "nothing is refused: {:?}", self.surprises());
    }

    /// Answers so far that should not have been given.
    pub fn surprises(&self) -> Vec<String> {
        self.shared.book.lock().unwrap().surprises.clone()
    }

    /// Lets every sender finish what it has begun, and hands over the book.
    pub async fn stop(mut self) -> Book {
        self.orders.send_replace(Order::Stop);
        while let Some(ended) = soon(self.senders.join_next()).await {
            ended.unwrap();
        }
        std::mem::take(&mut self.shared.book.lock().unwrap())
    }
}

/// Waits until a count has risen by so much; whether it does.
async fn rises(count: &watch::Sender<u64>, by: u64, patience: Duration) -> bool {
    let mut count = count.subscribe();
    let target = *count.borrow() + by;
    tokio::time::timeout(patience, count.wait_for(|count| *count >= target)).await.is_ok()
}

impl Shared {
    async fn send(self: Arc<Self>, sender: usize, mut orders: watch::Receiver<Order>) {
        let mut unsure = None;
        loop {
            let order = orders.borrow_and_update().clone();
            match order {
                Order::Stop => return,
                Order::Wait => {}
                Order::Post(ref to) | Order::PostAnew(ref to) => {
                    let client = Client::new(to[sender % to.len()], Some(&self.api_key));
                    let anew = matches!(order, Order::PostAnew(_)) && sender % 2 == 1;
                    self.post(client, anew, &orders, &mut unsure).await;
                }
            }
            if orders.changed().await.is_err() {
                return;
            }
        }
    }

    /// Posts until the connection breaks or something else is to be done.
    async fn post(
        &self,
        mut client: Client,
        anew: bool,
        orders: &watch::Receiver<Order>,
        unsure: &mut Option<Uplink>,
    ) {
        while orders.has_changed().is_ok_and(|is_new| !is_new) {
            if let Err(error) = client.connect().await {
                return self.book.lock().unwrap().unheard.push(error.to_string());
            }
            let uplink = unsure.take().unwrap_or_else(|| self.uplink());
            let body = match uplink.from {
                From::Meter(meter) => self.fleet.of_meter(meter, uplink.number),
                From::Stranger(n) => self.fleet.uplink(&self.fleet.strangers[n], uplink.number),
            };
            let sent = Instant::now();
            let answer = client.try_post(INGEST, &body).await;
            let mut book = self.book.lock().unwrap();
            book.slowest = book.slowest.max(sent.elapsed());
            match answer {
                Ok(answer) if book.note(uplink, &answer) => {
                    self.acknowledged.send_modify(|count| *count += 1);
                }
                Ok(_) => drop(self.refused.send_replace(book.refused)),
                Err(_) => {
                    book.note_loss(uplink);
                    // Every other one is sent again, as somebody at a keyboard would.
                    *unsure = uplink
                        .number
                        .is_multiple_of(2)
                        .then_some(Uplink { kind: Kind::Unsure, ..uplink });
                    return;
                }
            }
            if anew {
                client.hang_up();
            }
        }
    }

    /// What is sent next: mostly new readings, some repeats, and some uplinks of strangers.
    fn uplink(&self) -> Uplink {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let fleet = &self.fleet;
        if number % 16 == 15 && !fleet.strangers.is_empty() {
            let from = From::Stranger(number as usize / 16 % fleet.strangers.len());
            return Uplink { from, number, kind: Kind::Fresh };
        }
        if number % 8 == 5
            && let Some((meter, number)) = self.book.lock().unwrap().any(number)
        {
            return Uplink { from: From::Meter(meter), number, kind: Kind::Repeat };
        }
        let from = From::Meter(number as usize % fleet.meters.len());
        Uplink { from, number, kind: Kind::Fresh }
    }
}
