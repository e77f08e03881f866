//! The contract that every store must pass.

mod support;

use weir_store::Db;

async fn fresh() -> (Db, impl Sized) {
    let database = support::database();
    (support::connect(&database), database)
}

weir_store::contract_suite!(fresh);
