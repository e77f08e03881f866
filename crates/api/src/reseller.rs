//! The caller's own account.

pub mod billing;
