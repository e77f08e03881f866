//! The interface as callers meet it: the real router, on both stores. Every answer is also held
//! against the OpenAPI document, by the actors of the testkit.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

mod away;
mod bearer;
mod billing;
mod customers;
mod devices;
mod end_users;
mod envelope;
mod fields;
mod ingest;
mod members;
mod names;
mod openapi;
mod ownership;
mod sign_in;
mod social;
mod strangers;
mod support;
mod unregistered;
