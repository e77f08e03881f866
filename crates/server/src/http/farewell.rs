//! How a connection is left, so that the client can read the last words said on it.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy, sink};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{limits::Limits, refusal::Refusal};

/// Says why and closes. A client that is gone already is no error.
pub(super) async fn dismiss(mut stream: TcpStream, refusal: Refusal, limits: &Limits) {
    let words = async {
        stream.write_all(&refusal.into_bytes()).await?;
        stream.shutdown().await?;
        absorb(&mut stream, limits).await
    };
    let _ = timeout(limits.drain_timeout, words).await;
}

/// Waits, on a connection that we have closed for writing, until the client has closed it too.
pub(super) async fn linger(mut stream: TcpStream, limits: &Limits) {
    let _ = timeout(limits.drain_timeout, absorb(&mut stream, limits)).await;
}

/// Reads what is still on its way: left unread, it would turn our end into a reset.
async fn absorb(stream: &mut TcpStream, limits: &Limits) -> io::Result<()> {
    let most = u64::try_from(limits.drain_bytes).unwrap_or(u64::MAX);
    copy(&mut stream.take(most), &mut sink()).await.map(drop)
}
