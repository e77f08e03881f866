//! What tests share.
//!
//! | looking for | module |
//! |---|---|
//! | a whole service in a process, and actors who ask it | [`app`] |
//! | a real PostgreSQL, and a database of one's own in it | [`postgres`] |

#[cfg(feature = "app")]
pub mod app;
pub mod postgres;
