//! Every operation through the real router, on both stores.

#![expect(clippy::unwrap_used, reason = "what fails here is the test")]

mod assign;
mod assign_customer;
mod billing;
mod bulk;
mod bulk_assign;
mod callers;
mod consumption_per_day;
mod customers;
mod delete;
mod end_users;
mod fleet;
mod hierarchy;
mod hierarchy_batch;
mod list;
mod moves;
mod ownership_history;
mod ownership_report;
mod register_unregistered;
mod stats;
mod status;
mod support;
mod update;
