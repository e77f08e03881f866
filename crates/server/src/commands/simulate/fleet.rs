//! The meters that the service knows, and registering those that it does not.

use std::collections::HashMap;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::json;
use weir_domain::device::DEVICE_TYPE;
use weir_domain::name::tenant_key;
use weir_domain::{Eui, Timestamp, Volume};

use super::meter::Shown;
use super::service::Service;
use crate::failure::Failure;
use crate::household::chance;
use crate::progress;

const REGISTER: &str = "/api/v1/devices/register";

/// What the EUIs of all simulated meters begin with.
const MAKER: u64 = 0x70b3_d500_0000_0000;
/// How many meters a block of EUIs has.
const BLOCK: u64 = 1 << 16;

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

/// The EUIs of a reseller's simulated meters: resellers of one service can simulate side by side, and
/// each finds its own meters again.
#[derive(Debug, Clone, Copy)]
pub struct Block(u64);

impl Block {
    /// The block of the reseller that goes by a tenant name.
    pub fn of(tenant: &str) -> Self {
        let name = tenant_key(tenant);
        let name = name.bytes().fold(0, |seed, letter| chance(seed, letter.into()));
        Self(MAKER + name % (1 << 24) * BLOCK)
    }

    /// The EUI of a meter.
    pub fn eui(self, number: usize) -> Eui {
        Eui::from_bits(self.0 + number as u64 % BLOCK)
    }

    /// What its EUIs begin with.
    fn prefix(self) -> String {
        format!("{:012x}", self.0 / BLOCK)
    }
}

/// Sees to it that so many meters are registered, and looks what they showed last.
pub async fn muster(
    service: &Service,
    block: Block,
    meters: usize,
    connections: usize,
) -> Result<Fleet, Failure> {
    let known = list(service, block).await?;
    let euis = (0..meters).map(|number| block.eui(number));
    let missing: Vec<Eui> = euis.clone().filter(|eui| !known.contains_key(eui)).collect();
    let bar = progress::bar(missing.len() as u64, "registering", "meters");
    let registering = stream::iter(missing.iter().copied().map(|eui| register(service, eui)));
    let registered: Vec<()> =
        registering.buffer_unordered(connections).inspect(|_| bar.inc(1)).try_collect().await?;
    bar.finish_and_clear();
    let shown = euis.map(|eui| known.get(&eui).copied().flatten()).collect();
    Ok(Fleet { shown, registered: registered.len() })
}

/// What the meters of earlier runs showed last.
async fn list(service: &Service, block: Block) -> Result<HashMap<Eui, Option<Shown>>, Failure> {
    let mut known = HashMap::new();
    for offset in (0..).step_by(PAGE) {
        let prefix = block.prefix();
        let path = format!("/api/v1/devices?search={prefix}&limit={PAGE}&offset={offset}");
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
    let name = format!("Simulated meter {}", &eui.as_str()[12..]);
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
            "The EUI {eui} of a simulated meter belongs to another reseller of this service."
        ))),
        _ => Err(answer.refusal(REGISTER)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reseller_has_meters_of_its_own() {
        let (acme, globex) = (Block::of("Acme"), Block::of("Globex"));
        assert_ne!(acme.prefix(), globex.prefix());
        assert_eq!(Block::of("Acme").prefix(), acme.prefix());
        for number in [0, 1, 65_535] {
            let eui = acme.eui(number);
            assert!(eui.as_str().starts_with(&acme.prefix()), "{eui}");
            assert!(eui.as_str().ends_with(&format!("{number:04x}")), "{eui}");
        }
    }
}
