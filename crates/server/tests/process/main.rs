//! The whole program, as an operator runs it: started, asked, stopped, killed and started again.

#![allow(clippy::unwrap_used, reason = "the harness is test code too")]

mod book;
mod client;
mod clock;
mod commands;
mod configuration;
mod crash;
mod damage;
mod demo;
mod fleet;
mod flood;
mod full_disk;
mod handover;
mod home;
mod hostile;
mod nodes;
mod operating;
mod outage;
mod patience;
mod refusals;
mod server;
mod shutdown;
mod sign_in;
mod silence;
mod simulate;
mod traffic;
