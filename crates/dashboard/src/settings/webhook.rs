//! What is pasted into network servers.

use weir_identity::provider::PublicUrl;

/// Where uplinks are posted to.
const INGESTION: &str = "/api/v1/ingest/water-consumption";

/// The header that carries the key.
pub const HEADER: &str = "X-API-Key";

/// What network servers are told.
pub struct Webhook {
    /// Where to post uplinks to.
    pub url: String,
    /// What goes into the header; a placeholder where no key is shown.
    pub key: String,
    /// The command that tells The Things Stack.
    pub command: String,
}

impl Webhook {
    /// For a service at that address.
    pub fn at(public_url: &PublicUrl, key: &str) -> Self {
        let url = format!("{}{INGESTION}", public_url.as_str());
        let command = format!(
            "ttn-lw-cli applications webhooks set your-application-id weir --format json \
             --base-url '{url}' --headers '{HEADER}={key}' --uplink-message.path ''"
        );
        Self { url, key: key.to_owned(), command }
    }
}
