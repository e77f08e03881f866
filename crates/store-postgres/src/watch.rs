//! News of changes that other nodes committed, and whether the database is there at all.

use std::convert::Infallible;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{AsyncMessage, Client, Connection, Socket};
use weir_store::{Change, Listeners};

use crate::crew::Shared;
use crate::error::OpenError;
use crate::thread::Background;

/// The channel on which nodes notify each other.
pub(crate) const CHANNEL: &str = "weir_change";

/// How often the connection is asked whether it is still there.
const PING_EVERY: Duration = Duration::from_millis(300);

/// How long it may take to say so.
const PING_PATIENCE: Duration = Duration::from_secs(2);

/// How long after a failed attempt the next one is made.
const RETRY_AFTER: Duration = Duration::from_millis(250);

/// Starts to listen, on a thread and a connection of its own, and returns once it does.
pub(crate) fn start(shared: Shared) -> Result<Background, OpenError> {
    let (first, begun) = mpsc::sync_channel(1);
    let watch = Background::start("weir-postgres-watch", move || keep_watch(shared, first))?;
    match begun.recv() {
        Ok(Ok(())) => Ok(watch),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(OpenError::NoThread("the watch ended".into())),
    }
}

async fn keep_watch(shared: Shared, first: mpsc::SyncSender<Result<(), OpenError>>) {
    let mut first = Some(first);
    loop {
        let mut was_listening = false;
        let on_listening = || {
            was_listening = true;
            match first.take() {
                Some(first) => _ = first.send(Ok(())),
                // Before anyone is let in again who would trust what is cached.
                None => tell(&shared.listeners, |listeners| listeners.tell_missed()),
            }
            shared.outage.end();
        };
        let Err(error) = listen(&shared, on_listening).await;
        if let Some(first) = first.take() {
            _ = first.send(Err(error));
            return;
        }
        // A connection that was fine may have been the only one to be lost: try again at once.
        if !was_listening {
            shared.outage.begin(error.to_string());
            sleep(RETRY_AFTER).await;
        }
    }
}

/// Listens until the connection is lost.
async fn listen(shared: &Shared, on_listening: impl FnOnce()) -> Result<Infallible, OpenError> {
    let (client, connection) = shared.address.connect().await?;
    let attend = async {
        shared.address.serve_as_application(&client).await?;
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        on_listening();
        ping(shared, &client).await
    };
    tokio::select! {
        lost = pass_on(connection, &shared.listeners) => lost,
        lost = attend => lost,
    }
}

async fn ping(shared: &Shared, client: &Client) -> Result<Infallible, OpenError> {
    loop {
        sleep(PING_EVERY).await;
        let answered = timeout(PING_PATIENCE, client.batch_execute("")).await;
        answered.map_err(|_| OpenError::Unreachable("it does not answer".into()))??;
        // A crew that could not connect a moment ago may try again.
        shared.outage.end();
    }
}

/// Drives the connection and tells what it brings.
async fn pass_on(
    mut connection: Connection<Socket, NoTlsStream>,
    listeners: &Listeners,
) -> Result<Infallible, OpenError> {
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notification(news))) => match news.payload().parse::<Change>() {
                Ok(change) => tell(listeners, |listeners| listeners.tell(&change)),
                // A later version speaks of things that this one does not know.
                Err(_) => tell(listeners, |listeners| listeners.tell_missed()),
            },
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error.into()),
            None => return Err(OpenError::Unreachable("it closed the connection".into())),
        }
    }
}

/// Tells listeners something. One that panics must not take the thread with it.
pub(crate) fn tell(listeners: &Listeners, news: impl FnOnce(&Listeners)) {
    if catch_unwind(AssertUnwindSafe(|| news(listeners))).is_err() {
        tracing::error!("a listener panicked");
    }
}
