//! Every field of every body, query and path at its limits, as tables.
//!
//! What is refused here is refused before the store is asked, so that one store is enough.

mod all_bodies;
mod all_paths;
mod assignments;
mod bulk;
mod coverage;
mod customers;
mod devices;
mod end_users;
mod kept;
mod members;
mod queries;
mod table;
mod values;

use table::Table;
use weir_testkit::app::{Store, TestApp};

use crate::support::*;

/// All tables.
fn tables() -> Vec<Table> {
    [
        devices::tables(),
        bulk::tables(),
        assignments::tables(),
        customers::tables(),
        end_users::tables(),
        members::tables(),
        queries::tables(),
    ]
    .concat()
}

/// Asks everything that some tables say, for a reseller who has one of everything.
async fn check(tables: Vec<Table>) {
    let app = TestApp::start(Store::Sqlite).await;
    let acme = app.reseller("Acme").await;
    let own = Belongings::of(&app, &acme).await;
    for table in tables {
        table.check(&acme, &own).await;
    }
}
