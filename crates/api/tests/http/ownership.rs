//! Whom devices belong to, and belonged to.

mod assign;
mod assign_customer;
mod bulk_assign;
mod history;
mod report;
