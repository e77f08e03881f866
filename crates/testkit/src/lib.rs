//! What tests share.
//!
//! | looking for | module |
//! |---|---|
//! | a whole service in a process, and actors who ask it | [`app`] |
//! | a real PostgreSQL, and a database of one's own in it | [`postgres`] |
//! | a real mail server, and what it received | [`mailbox`] |
//! | a real identity provider, and someone who signs in there | [`oidc`] |
//! | how often a fault is tried, and saying what came of it | [`faults`] |
//! | a disk that is full | [`small_disk`] |
//! | a clock that jumps, for a whole program | [`shifted_clock`] |

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "people")]
mod conversation;
pub mod faults;
#[cfg(feature = "people")]
pub mod mailbox;
#[cfg(feature = "people")]
pub mod oidc;
pub mod postgres;
pub mod shifted_clock;
pub mod small_disk;
