//! Spreading the tables over the workers of Citus, where the extension is present.
//!
//! Every statement of this crate carries the reseller first, so nothing else differs. Tables that are
//! looked up before the reseller is known become reference tables, the rest is distributed by
//! reseller and kept together. What is distributed already is passed over.

use tokio_postgres::{Client, Error};

/// Parents before children, because a foreign key has to lead to a table that is distributed already.
const STEPS: &[(&str, Option<&str>)] = &[
    ("api_key_hash", None),
    ("tenant_name", None),
    ("eui_claim", None),
    ("lane_position", None),
    ("quota_lease", None),
    ("server_secret", None),
    ("membership", None),
    ("magic_link", None),
    ("sign_in_session", None),
    ("signing_key", None),
    ("reseller", Some("id")),
    ("reseller_alias", Some("reseller_id")),
    ("api_key", Some("reseller_id")),
    ("member", Some("reseller_id")),
    ("customer", Some("reseller_id")),
    ("end_user", Some("reseller_id")),
    ("device", Some("reseller_id")),
    ("ownership", Some("reseller_id")),
    ("reading_block", Some("reseller_id")),
    ("day", Some("reseller_id")),
    ("fleet_count", Some("reseller_id")),
    ("sighting", Some("reseller_id")),
    ("sighting_reading", Some("reseller_id")),
    ("quota_usage", Some("reseller_id")),
];

/// Distributes what is not distributed yet; without Citus it does nothing.
pub(crate) async fn distribute(client: &Client) -> Result<(), Error> {
    let query = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')";
    if !client.query_one(query, &[]).await?.try_get::<_, bool>(0)? {
        return Ok(());
    }
    // Without it, the reseller that a transaction is bound to does not reach the workers.
    let setting = "ALTER ROLE weir_app SET citus.propagate_set_commands = 'local'";
    client.batch_execute(setting).await?;
    for (table, column) in STEPS {
        let query = "SELECT EXISTS (SELECT FROM pg_dist_partition
                                    WHERE logicalrelid = to_regclass($1)::oid)";
        if client.query_one(query, &[table]).await?.try_get::<_, bool>(0)? {
            continue;
        }
        client.batch_execute(&match column {
            None => format!("SELECT create_reference_table('{table}')"),
            Some("id") => format!("SELECT create_distributed_table('{table}', 'id')"),
            Some(column) => format!(
                "SELECT create_distributed_table('{table}', '{column}', colocate_with => 'reseller')"
            ),
        })
        .await?;
    }
    Ok(())
}
