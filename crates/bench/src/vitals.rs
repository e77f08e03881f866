//! What the service says of itself: whether all is settled, how much is not, and what has arrived.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::endpoint::{Endpoint, refused};
use crate::failure::Failure;

/// How many meters a page of the list may hold.
const PAGE: u32 = 1_000;

/// How long the service may take to settle what it acknowledged.
const PATIENCE: Duration = Duration::from_secs(600);

/// Waits until everything that was acknowledged is in the store, and says how long that took. The
/// list waits for it by itself, as every read does, but gives up after a while.
pub async fn wait_until_settled(endpoint: &Endpoint) -> Result<Duration, Failure> {
    let path = "/api/v1/devices?limit=1";
    let begun = Instant::now();
    loop {
        match endpoint.get(path).await? {
            (200, _) => return Ok(begun.elapsed()),
            (503, _) if begun.elapsed() < PATIENCE => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            (status, body) => return Err(refused("GET", path, status, &body)),
        }
    }
}

/// How many acknowledged uplinks wait to be settled. A service that can take no more says so too.
pub async fn spool_depth(endpoint: &Endpoint) -> Result<u64, Failure> {
    let path = "/health";
    let (status, body) = endpoint.get(path).await?;
    let health: Value = serde_json::from_slice(&body).unwrap_or_default();
    let depth = health
        .pointer("/data/spool/depth")
        .or_else(|| health.pointer("/details/health/spool/depth"))
        .and_then(Value::as_u64);
    depth.ok_or_else(|| refused("GET", path, status, &body))
}

#[derive(Debug, Deserialize)]
struct Page {
    data: Vec<Device>,
}

#[derive(Debug, Deserialize)]
struct Device {
    message_count: u64,
}

/// How many messages the service has counted, over all meters.
pub async fn count_messages(endpoint: &Endpoint, meters: u32) -> Result<u64, Failure> {
    let mut sum = 0;
    for offset in (0..meters).step_by(PAGE as usize) {
        let path =
            format!("/api/v1/devices?include_consumption=false&limit={PAGE}&offset={offset}");
        let (status, body) = endpoint.get(&path).await?;
        if status != 200 {
            return Err(refused("GET", &path, status, &body));
        }
        let page: Page = serde_json::from_slice(&body).map_err(Failure::List)?;
        sum += page.data.iter().map(|device| device.message_count).sum::<u64>();
    }
    Ok(sum)
}
