//! Which meter's uplink is next on a connection.

use jiff::{SignedDuration, Timestamp};

use crate::cli::Plan;
use crate::endpoint::Endpoint;
use crate::uplink::{Request, Tenant};

/// The uplinks of one connection. The meters are dealt out among the connections, so no two of them
/// ever send the same reading; a sender goes round its meters, and each time round every one of them
/// shows a second and a litre more.
#[derive(Debug)]
pub struct Sender {
    first: u32,
    stride: u32,
    devices: u32,
    device: u32,
    laps: u32,
    since: Timestamp,
    request: Request,
}

impl Sender {
    /// The senders of a run, whose first readings are from the second after `since`.
    pub fn deal(endpoint: &Endpoint, plan: &Plan, since: Timestamp) -> Vec<Self> {
        let deal = |first| Self {
            first,
            stride: plan.connections,
            devices: plan.devices,
            device: plan.devices,
            laps: 0,
            since,
            request: Request::new(endpoint),
        };
        (0..plan.connections).map(deal).collect()
    }

    /// Says from now on whose uplinks they are.
    pub fn set_tenant(&mut self, tenant: Tenant) {
        self.request.set_tenant(tenant);
    }

    /// The next request.
    pub fn next_request(&mut self) -> &[u8] {
        self.device = self.device.saturating_add(self.stride);
        if self.device >= self.devices {
            self.device = self.first;
            self.laps += 1;
            let time = self.since.saturating_add(SignedDuration::from_secs(self.laps.into()));
            self.request.set_time(time.unwrap_or(self.since));
            self.request.set_volume(self.laps);
        }
        self.request.set_device(self.device);
        self.request.bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};
    use std::time::Duration;

    use serde_json::Value;

    use super::*;

    #[test]
    fn every_meter_sends_and_no_reading_is_sent_twice() {
        let address = "127.0.0.1:8080".parse().unwrap();
        let endpoint = Endpoint { address, api_key: "weir_key".into() };
        let brief = Duration::ZERO;
        let plan =
            Plan { connections: 3, devices: 10, rounds: 1, half_round: brief, warm_up: brief };
        let since = "2026-01-31T23:59:58Z".parse().unwrap();
        let mut bodies = HashSet::new();
        let mut meters: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
        for mut sender in Sender::deal(&endpoint, &plan, since) {
            sender.set_tenant(Tenant::Right);
            for _ in 0..12 {
                let request = std::str::from_utf8(sender.next_request()).unwrap();
                let body = request.split_once("\r\n\r\n").unwrap().1;
                assert!(bodies.insert(body.to_owned()), "sent twice: {body}");
                let json: Value = serde_json::from_str(body).unwrap();
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                let volume = json["object"]["cumulativeFlowM3"].as_f64().unwrap();
                let readings = meters.entry(text(&json["deviceInfo"]["devEui"])).or_default();
                readings.push((text(&json["time"]), volume));
            }
        }
        assert_eq!(meters.len(), 10);
        for readings in meters.values() {
            assert_eq!(readings[0], ("2026-01-31T23:59:59.250731+00:00".into(), 100_000.001));
            assert_eq!(readings[1], ("2026-02-01T00:00:00.250731+00:00".into(), 100_000.002));
            assert!(readings.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        }
    }
}
