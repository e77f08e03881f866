//! The HTTP transport: from a listening port to the router and back.
//!
//! The accept loop is our own, on hyper's HTTP/1.1 connection. hyper by itself leaves some things
//! open that an exposed service needs, and each has its place here:
//!
//! - Threads: a connection stays on one of them ([`Crew`]).
//! - Time: every stage of a connection has a deadline ([`Limits`]), so that a peer that stalls
//!   loses its slot (`progress`, `alarm`, `connection`).
//! - One form of error: what hyper answers on its own (malformed or oversized heads) has an empty
//!   body; it is kept from the wire and said again in the service's envelope (`socket`, `refusal`).
//! - Bodies that nobody read: they are drained within bounds, because closing a socket with unread
//!   bytes makes the kernel send a reset, which can take the answer away from the client
//!   (`request_body`, `farewell`).
//! - An end: what has begun is answered, the rest is closed, and the caller learns how many
//!   connections had to be cut ([`serve`]).
//!
//! A client that hangs up does not cancel what it asked for: a complete request is carried out, and
//! one who only closed its sending side still reads the answer.

mod alarm;
mod connection;
mod crew;
mod exchange;
mod farewell;
mod limits;
mod listener;
mod progress;
mod refusal;
mod reply_body;
mod request_body;
mod request_id;
mod serve;
mod socket;

pub use crew::Crew;
pub use limits::Limits;
pub use listener::bind;
pub use serve::{Served, serve};
