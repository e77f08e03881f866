//! Who people are: tokens of issuers that are trusted, and a provider of our own.
//!
//! | looking for | module |
//! |---|---|
//! | which tokens are good | [`token`] |
//! | whom tokens are trusted from, where their keys are and how long they are kept | [`issuer`], [`keys`] |
//! | for which reseller a token speaks | [`people`] |
//! | links, sessions, our own tokens and their keys | [`provider`] |
//! | how links are sent | [`mail`] |
//! | signing in at someone else's | [`social`] |
//! | what browsers keep, and where requests come from | [`cookie`], [`source`] |
//!
//! [`Reception`] puts them together.

pub mod cookie;
pub mod issuer;
pub mod keys;
pub mod mail;
mod outbound;
mod own;
pub mod people;
pub mod provider;
mod reception;
pub mod social;
pub mod source;
pub mod token;

#[cfg(feature = "testing")]
pub mod testing;

pub use people::{NotAdmitted, People};
pub use reception::Reception;
