//! Which meter's uplink is next, whichever connection sends it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use weir_domain::Timestamp;

use crate::fleet::Meter;
use crate::hourly::{self, HOUR, WINDOW};
use crate::uplink::Request;

/// A step between meters that follow one another which has no divisor in common with any number of
/// meters: it is a prime above all of them.
const STRIDE: u64 = 16_777_259;

/// How many meters report within an hour of the readings' time. Fewer have less time between their
/// readings, so that long runs do not get ahead of the service's clock by a day, past which it would
/// replace their times.
const AN_HOUR_OF_METERS: u32 = 100_000;

/// How many hours before the others the first readings of the meters are scattered.
const DAY_OF_HOURS: u32 = 24;

/// The uplinks of a run: every meter once, in an order that is not that of their registration, and
/// again, each time an hour later. No reading is handed out twice.
#[derive(Debug)]
pub struct Feed {
    meters: u32,
    since: Timestamp,
    step: Duration,
    next: AtomicU64,
}

impl Feed {
    /// The uplinks of so many meters, from about `since` on.
    pub fn new(meters: u32, since: Timestamp) -> Self {
        let step = HOUR / AN_HOUR_OF_METERS * meters.min(AN_HOUR_OF_METERS);
        Self { meters, since, step, next: AtomicU64::new(0) }
    }

    /// The same uplinks from the first one on, to be sent under a name that nobody has.
    #[must_use]
    pub fn again(&self) -> Self {
        Self::new(self.meters, self.since)
    }

    /// How many meters there are.
    pub fn meters(&self) -> u32 {
        self.meters
    }

    /// How many uplinks were taken.
    pub fn taken(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Writes the next uplink into a request and returns its number, unless that many were taken.
    pub fn take(&self, request: &mut Request, most: u64) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= most {
            self.next.fetch_sub(1, Ordering::Relaxed);
            return None;
        }
        let meters = u64::from(self.meters);
        let meter = Meter((number % meters * STRIDE % meters) as u32);
        let hour = u32::try_from(number / meters).unwrap_or(u32::MAX);
        request.set_meter(meter);
        request.set_time(self.time(meter, hour));
        request.set_volume(hourly::litres(meter, hour));
        Some(number)
    }

    /// The first readings are of any hour of the day before, so that a day ends for some of the
    /// meters in every hour, and the service does in every stretch what it does then.
    fn time(&self, meter: Meter, hour: u32) -> Timestamp {
        let delay = hourly::delay(meter, hour, WINDOW.min(self.step));
        let time = self.since.plus(self.step * hour).plus(delay);
        if hour == 0 { time.minus(HOUR * (meter.0 % DAY_OF_HOURS)) } else { time }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use serde_json::Value;

    use super::*;
    use crate::endpoint::Endpoint;

    fn request() -> Request {
        let address = "127.0.0.1:8080".parse().unwrap();
        Request::new(&Endpoint { address, api_key: "weir_key".into() })
    }

    fn json(request: &Request) -> Value {
        let text = std::str::from_utf8(request.bytes()).unwrap();
        serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    #[test]
    fn every_meter_sends_once_before_any_does_again_and_no_uplink_is_sent_twice() {
        let feed = Feed::new(2_000, Timestamp::parse("2026-01-31T23:00:00Z").unwrap());
        let mut request = request();
        let mut uplinks = HashSet::new();
        for lap in 1..=3 {
            let mut euis = HashSet::new();
            while feed.take(&mut request, lap * 2_000).is_some() {
                assert!(uplinks.insert(request.bytes().to_vec()), "sent twice");
                euis.insert(json(&request)["deviceInfo"]["devEui"].to_string());
            }
            assert_eq!((euis.len(), feed.taken()), (2_000, lap * 2_000));
        }
        let again = feed.again();
        assert!(again.take(&mut request, 1) == Some(0) && uplinks.contains(request.bytes()));
    }

    #[test]
    fn a_meter_reports_an_hour_later_each_time_and_shows_more() {
        let feed = Feed::new(40, Timestamp::parse("2026-01-31T23:00:00Z").unwrap());
        let feed = Feed { step: HOUR, ..feed };
        let mut meters: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
        let mut request = request();
        while feed.take(&mut request, 160).is_some() {
            let body = json(&request);
            let volume = body["object"]["cumulativeFlowM3"].as_f64().unwrap();
            let eui = body["deviceInfo"]["devEui"].as_str().unwrap().to_owned();
            let time = body["time"].as_str().unwrap().to_owned();
            meters.entry(eui).or_default().push((time, volume));
        }
        assert_eq!(meters.len(), 40);
        for readings in meters.values() {
            assert!(readings.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{readings:?}");
            assert!(readings[1].0.starts_with("2026-02-01T00:00:"), "{readings:?}");
            assert!(readings[3].0.starts_with("2026-02-01T02:00:"), "{readings:?}");
        }
        let first = |hour: &str| meters.values().filter(|it| it[0].0.contains(hour)).count();
        assert_eq!((first("31T23:00:"), first("31T00:00:")), (2, 1));
    }
}
