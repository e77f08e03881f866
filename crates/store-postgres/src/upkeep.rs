//! The daily look after the partitions of readings.

use std::time::Duration;

use crate::address::Address;
use crate::error::OpenError;
use crate::partition;
use crate::thread::Background;

const DAILY: Duration = Duration::from_secs(24 * 60 * 60);

/// Makes partitions ahead every day, with a login that may.
pub(crate) fn start(address: Address) -> Result<Background, OpenError> {
    Background::start("weir-postgres-upkeep", move || async move {
        loop {
            tokio::time::sleep(DAILY).await;
            if let Err(error) = once(&address).await {
                tracing::warn!(%error, "the partitions of the months to come could not be made");
            }
        }
    })
}

async fn once(address: &Address) -> Result<(), OpenError> {
    let (client, connection) = address.connect().await?;
    let driver = tokio::spawn(connection);
    let made = partition::make_ahead(&client).await;
    drop(client);
    let _ = driver.await;
    Ok(made?)
}
