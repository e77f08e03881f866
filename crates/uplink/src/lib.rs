//! What network servers say: bytes in, [`Uplink`] out, by format.
//!
//! Pure functions: no IO, no clock, and no input that makes them panic. A body is understood in
//! stages, because what is wrong with it is told in an order: that it is no JSON object or of no
//! known format ([`read`]), then its tenant ([`Envelope::tenant`]), then its EUI and its fields
//! ([`Envelope::uplink`]). Whose tenant and whose device it is, and whether its times are plausible,
//! is for the caller to say.
//!
//! ```
//! use weir_uplink::{Format, Message, read};
//!
//! let body = br#"{
//!     "deviceInfo": {"tenantName": "Reseller One", "devEui": "70b3d57ed02a3654"},
//!     "time": "2026-03-29T00:59:58+00:00",
//!     "object": {"cumulativeFlowM3": 123.457}
//! }"#;
//! let Ok(Message::Uplink(envelope)) = read(body, Some("up")) else {
//!     panic!("an uplink")
//! };
//! assert_eq!(envelope.format(), Format::ChirpStack);
//! assert_eq!(envelope.tenant(), Ok("Reseller One"));
//! let uplink = envelope.uplink().unwrap();
//! assert_eq!(uplink.readings[0].volume.litres(), 123457.0);
//! ```
//!
//! | looking for | module |
//! |---|---|
//! | which keys make a format, and which messages are no uplinks | `format`, `message` |
//! | where each format keeps its values | `chirpstack`, `things_stack`, `normalized`, `position` |
//! | what a value must be, and what is said of one that is not | `findings` |
//! | how JSON is taken apart in one pass | `json`, `cut` |
//!
//! To add a format: give it a variant, name and keys in `format`, a module that reads its values into
//! a `Draft`, and a branch in `message`; put real bodies into `tests/uplinks` and their outcomes into
//! the table of `tests/bodies.rs`.

mod chirpstack;
mod cut;
mod envelope;
mod error;
mod field;
mod findings;
mod format;
mod json;
mod message;
mod normalized;
mod position;
mod things_stack;

pub use envelope::{Envelope, Uplink};
pub use error::{FieldError, Rejection, Step, Unreadable};
pub use format::Format;
pub use message::{Message, read};
