//! Who people are: tokens of issuers that are trusted, and a provider of our own.

pub mod issuer;
pub mod keys;
pub mod token;

#[cfg(feature = "testing")]
pub mod testing;
