//! The pages as people use them: in Debian's chromium, with a whole service and a mail server behind it.

#![allow(clippy::unwrap_used, reason = "the harness is test code too")]

mod accessibility;
mod browser;
mod customers;
mod device;
mod driver;
mod fleet;
mod hierarchy;
mod keyboard;
mod pages;
mod settings;
mod sign_in;
mod site;
mod viewer;

// The program is started and asked as in the tests of the process.
#[allow(dead_code, reason = "what it holds is for the tests of the process")]
#[path = "../process/client.rs"]
mod client;
#[allow(dead_code, reason = "what it holds is for the tests of the process")]
#[path = "../process/home.rs"]
mod home;
#[allow(dead_code, reason = "what it holds is for the tests of the process")]
#[path = "../process/patience.rs"]
mod patience;
#[allow(dead_code, reason = "what it holds is for the tests of the process")]
#[path = "../process/server.rs"]
mod server;
