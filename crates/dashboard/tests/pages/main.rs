//! The pages, through the whole router.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod choose;
mod customers;
mod device;
mod end_users;
mod fleet;
mod frame;
mod hierarchy;
mod meters;
mod overview;
mod settings;
mod sign_in;
mod sign_up;
mod unregistered;
