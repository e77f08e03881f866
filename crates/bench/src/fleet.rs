//! The meters: registering them, and asking how many messages of theirs arrived.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::endpoint::{Endpoint, refused};
use crate::failure::Failure;
use crate::uplink::eui;

/// How many meters are registered at the same time.
const REGISTRARS: u32 = 32;

/// How many meters a page of the list may hold.
const PAGE: u32 = 1_000;

/// How long the service may take to settle what it acknowledged.
const PATIENCE: Duration = Duration::from_secs(300);

/// Registers that many meters.
pub async fn register(endpoint: &Endpoint, devices: u32) -> Result<(), Failure> {
    let mut tasks = JoinSet::new();
    for first in 0..REGISTRARS.min(devices) {
        let endpoint = endpoint.clone();
        tasks.spawn(async move {
            let mut connection = Connection::open(endpoint.address).await?;
            for device in (first..devices).step_by(REGISTRARS as usize) {
                let name = format!("Meter {device}");
                let body = json!({
                    "dev_eui": eui(device), "name": name, "device_type": "water_meter"
                });
                let path = "/api/v1/devices/register";
                endpoint.post(&mut connection, path, &body.to_string()).await?;
            }
            Ok::<_, Failure>(())
        });
    }
    while let Some(task) = tasks.join_next().await {
        task??;
    }
    Ok(())
}

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

#[derive(Debug, Deserialize)]
struct Page {
    data: Vec<Meter>,
}

#[derive(Debug, Deserialize)]
struct Meter {
    message_count: u64,
}

/// How many messages the service has counted, over all meters.
pub async fn count_messages(endpoint: &Endpoint, devices: u32) -> Result<u64, Failure> {
    let mut sum = 0;
    for offset in (0..devices).step_by(PAGE as usize) {
        let path =
            format!("/api/v1/devices?include_consumption=false&limit={PAGE}&offset={offset}");
        let (status, body) = endpoint.get(&path).await?;
        if status != 200 {
            return Err(refused("GET", &path, status, &body));
        }
        let page: Page = serde_json::from_slice(&body).map_err(Failure::List)?;
        sum += page.data.iter().map(|meter| meter.message_count).sum::<u64>();
    }
    Ok(sum)
}
