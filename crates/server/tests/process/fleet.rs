//! Meters and what they send. Every reading has a number, from which its time and its volume follow.

use std::time::Duration;

use serde_json::Value;
use weir_domain::Timestamp;
use weir_testkit::app::{chirpstack, things_stack};

use crate::client::{Client, INGEST};

pub const TENANT: &str = "Waterworks";

/// How many different readings a fleet can send.
const MOST_READINGS: u64 = 1_000_000;

/// Registered meters, EUIs that are not, and the time that counting begins at.
#[derive(Debug)]
pub struct Fleet {
    pub meters: Vec<String>,
    pub strangers: Vec<String>,
    epoch: Timestamp,
    /// What the devices are called in uplinks, where that matters.
    device_name: Option<String>,
}

impl Fleet {
    /// Registers so many meters.
    pub async fn register(client: &mut Client, meters: usize, strangers: usize) -> Self {
        let euis = |prefix, count| (0..count).map(|n| format!("{prefix}{n:08x}")).collect();
        let (meters, strangers): (Vec<String>, Vec<String>) =
            (euis("70b3d57e", meters), euis("0004a30b", strangers));
        let mut now = None;
        for eui in &meters {
            let registered = client.register(eui).await;
            now = Some(Timestamp::parse(registered["created_at"].as_str().unwrap()).unwrap());
        }
        // The service's own clock says what the past is.
        let epoch = now.unwrap().minus(Duration::from_secs(MOST_READINGS + 60));
        let epoch = Timestamp::from_micros(epoch.epoch_seconds() * 1_000_000);
        Self { meters, strangers, epoch, device_name: None }
    }

    /// The same fleet with names as long as can be, so that its uplinks take much room.
    #[must_use]
    pub fn verbose(self) -> Self {
        Self { device_name: Some("\u{1f4a7}".repeat(255)), ..self }
    }

    /// An uplink with a reading, as either network server sends it.
    pub fn uplink(&self, eui: &str, number: u64) -> Value {
        assert!(number < MOST_READINGS);
        let time = self.epoch.plus(Duration::from_secs(number)).to_string();
        let is_things_stack = number.is_multiple_of(3);
        let format = if is_things_stack { things_stack } else { chirpstack };
        let mut uplink = format(TENANT, eui, &time, cubic_metres(number));
        if let Some(name) = &self.device_name {
            let path = if is_things_stack {
                "/end_device_ids/device_id"
            } else {
                "/deviceInfo/deviceName"
            };
            *uplink.pointer_mut(path).unwrap() = name.as_str().into();
        }
        uplink
    }

    /// An uplink of one of the meters.
    pub fn of_meter(&self, meter: usize, number: u64) -> Value {
        self.uplink(&self.meters[meter], number)
    }

    /// The numbers of the readings that the service holds of a meter, in the order of the history.
    pub async fn history(&self, client: &mut Client, meter: usize) -> Vec<u64> {
        let path = format!("/api/v1/devices/{}/consumption?days=365", self.meters[meter]);
        let readings = client.get(&path).await.list();
        let number = |reading: &Value| {
            let time = Timestamp::parse(reading["timestamp"].as_str().unwrap()).unwrap();
            let number = self.number(time);
            assert_eq!(reading["consumption_m3"], cubic_metres(number), "{reading}");
            number
        };
        readings.iter().map(number).collect()
    }

    /// The number of the reading of that time.
    pub fn number(&self, time: Timestamp) -> u64 {
        (time.micros() - self.epoch.micros()) as u64 / 1_000_000
    }

    /// Posts readings from this number on until the quota is used up; how many were taken.
    pub async fn use_up(&self, client: &mut Client, first: u64) -> u64 {
        let mut taken = 0;
        // A node that finds nothing left may be wrong for a moment: another may give something back.
        let mut refused = 0;
        while refused < 20 {
            let number = first + taken;
            let meter = number as usize % self.meters.len();
            let answer = client.post(INGEST, &self.of_meter(meter, number)).await;
            if answer.status == 200 {
                taken += 1;
            } else {
                answer.assert_error(429, "RATE_LIMIT_EXCEEDED");
                assert!(answer.number("retry-after") > 0);
                refused += 1;
            }
        }
        taken
    }
}

fn cubic_metres(number: u64) -> f64 {
    number as f64 / 1_000.0
}
