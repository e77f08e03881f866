//! The meters that the service knows, and registering those that it does not.

use std::collections::HashMap;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::json;
use weir_domain::device::DEVICE_TYPE;
use weir_domain::{Eui, Timestamp, Volume};

use super::meter::Shown;
use super::service::Service;
use crate::failure::Failure;
use crate::progress;

const REGISTER: &str = "/api/v1/devices/register";

/// What the EUIs of all simulated meters begin with.
const BLOCK: &str = "70b3d57ed05e";
const FIRST: u64 = 0x70b3_d57e_d05e_0000;

/// How many devices a page of the list may hold.
const PAGE: usize = 1_000;

/// The meters of a run.
#[derive(Debug)]
pub struct Fleet {
    /// What each of them showed last.
    pub shown: Vec<Option<Shown>>,
    /// How many had to be registered.
    pub registered: usize,
}

#[derive(Debug, Deserialize)]
struct Listed {
    dev_eui: Eui,
    last_reading_at: Option<Timestamp>,
    last_consumption_m3: f64,
}

/// The EUI of a meter.
pub fn eui(number: usize) -> Eui {
    Eui::from_bits(FIRST + number as u64)
}

/// Sees to it that so many meters are registered, and looks what they showed last.
pub async fn muster(
    service: &Service,
    meters: usize,
    connections: usize,
) -> Result<Fleet, Failure> {
    let known = list(service).await?;
    let missing: Vec<Eui> = (0..meters).map(eui).filter(|eui| !known.contains_key(eui)).collect();
    let bar = progress::bar(missing.len() as u64, "registering", "meters");
    let registering = stream::iter(missing.iter().copied().map(|eui| register(service, eui)));
    let registered: Vec<()> =
        registering.buffer_unordered(connections).inspect(|_| bar.inc(1)).try_collect().await?;
    bar.finish_and_clear();
    let shown = (0..meters).map(|number| known.get(&eui(number)).copied().flatten()).collect();
    Ok(Fleet { shown, registered: registered.len() })
}

/// What the meters of earlier runs showed last.
async fn list(service: &Service) -> Result<HashMap<Eui, Option<Shown>>, Failure> {
    let mut known = HashMap::new();
    for offset in (0..).step_by(PAGE) {
        let path = format!("/api/v1/devices?search={BLOCK}&limit={PAGE}&offset={offset}");
        let page: Vec<Listed> = service.get(&path).await?;
        let is_last = page.len() < PAGE;
        known.extend(page.into_iter().map(|device| (device.dev_eui, device.shown())));
        if is_last {
            break;
        }
    }
    Ok(known)
}

impl Listed {
    fn shown(&self) -> Option<Shown> {
        let volume = Volume::from_cubic_metres(self.last_consumption_m3).ok()?;
        Some(Shown { time: self.last_reading_at?, volume })
    }
}

async fn register(service: &Service, eui: Eui) -> Result<(), Failure> {
    let name = format!("Simulated meter {}", &eui.as_str()[BLOCK.len()..]);
    let device = json!({ "dev_eui": eui, "name": name, "device_type": DEVICE_TYPE });
    let answer = service.post(REGISTER, device.to_string()).await;
    let answer = answer.map_err(|error| service.unreachable(&error))?;
    if answer.status == 200 {
        return Ok(());
    }
    let complaint = answer.complaint();
    match complaint.error_code.as_str() {
        // Another run registered it just now.
        "DEVICE_ALREADY_EXISTS" if complaint.details.contains_key("device_id") => Ok(()),
        "DEVICE_ALREADY_EXISTS" => Err(Failure::Said(format!(
            "The meter {eui} belongs to another reseller of this service: only one can simulate."
        ))),
        _ => Err(answer.refusal(REGISTER)),
    }
}
