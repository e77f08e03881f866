//! The listening socket.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{Domain, Protocol, SockFilter, SockRef, Socket, Type};
use tokio::net::{TcpListener, TcpStream, ToSocketAddrs, lookup_host};
use tokio::time::timeout;

/// Connections that the kernel holds for us until they are accepted.
pub(super) const BACKLOG: u16 = 4096;

/// How long to wait for somebody who may listen already.
const PATIENCE: Duration = Duration::from_millis(200);

/// Listens on the first of the addresses that `address` stands for and that can be had.
///
/// The port is shared (`SO_REUSEPORT`) with other processes of the same user: a new version can
/// take over while the old one answers what it has begun.
pub async fn bind(address: impl ToSocketAddrs) -> io::Result<TcpListener> {
    let mut failure =
        io::Error::new(io::ErrorKind::AddrNotAvailable, "the listen address names no host");
    for address in lookup_host(address).await? {
        let is_shared = is_listened_on(address).await;
        match listen(address) {
            Ok(listener) => {
                if is_shared {
                    tracing::warn!(
                        "another process listens on {address} too and gets a part of its requests"
                    );
                }
                return Ok(listener);
            }
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Whether somebody answers there already: meant where a new version takes over, and else a mistake
/// that nobody would notice.
async fn is_listened_on(address: SocketAddr) -> bool {
    let connecting = TcpStream::connect(address);
    address.port() != 0 && matches!(timeout(PATIENCE, connecting).await, Ok(Ok(_)))
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.set_reuse_port(true)?;
    if address.is_ipv6() {
        // `[::]` means every address, whatever the machine's default is.
        socket.set_only_v6(false)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG.into())?;
    TcpListener::from_std(socket.into())
}

/// What drops segments that open a connection (SYN without ACK) and lets all others pass: the flags are
/// the 14th byte of TCP's header, with which a filter's packet begins.
const NO_OPENINGS: [SockFilter; 5] = [
    SockFilter::new(0x30, 0, 0, 13),          // load the byte
    SockFilter::new(0x54, 0, 0, 0x12),        // SYN and ACK of it
    SockFilter::new(0x15, 0, 1, 0x02),        // SYN alone?
    SockFilter::new(0x06, 0, 0, 0),           // then nothing of it
    SockFilter::new(0x06, 0, 0, 0xffff_ffff), // else all of it
];

/// Takes no new connections, without a word to those who ask: they ask again after a second, and get
/// to the process that has taken over the port. Closing it on them would refuse them.
pub(super) fn close_ears(listener: &TcpListener) {
    if let Err(error) = SockRef::from(listener).attach_filter(&NO_OPENINGS) {
        tracing::debug!(%error, "Whoever connects while the port is closed may be refused.");
    }
}
