//! The uplinks of a fleet in the order in which they would arrive.

use weir_domain::{DeviceKey, Month, Name, Position, Reading, ResellerId, Timestamp};
use weir_ingest::record::{Addressee, Record};
use weir_ingest::settle::Numbered;

use crate::fleet::Meter;
use crate::hourly::{self, HOUR};

/// Uplinks hour by hour, and within an hour by the moment at which the meters report.
#[derive(Debug)]
pub struct Arrivals<'a> {
    reseller: ResellerId,
    keys: &'a [DeviceKey],
    hours: u32,
    since: Timestamp,
    /// The next hour.
    hour: u32,
    /// What is left of this one, the latest first.
    left: Vec<(Meter, Reading)>,
    handed_out: u64,
}

impl<'a> Arrivals<'a> {
    /// Those of the devices with these keys, by the numbers of their meters.
    pub fn new(reseller: ResellerId, keys: &'a [DeviceKey], hours: u32, since: Timestamp) -> Self {
        Self { reseller, keys, hours, since, hour: 0, left: Vec::new(), handed_out: 0 }
    }

    /// How many there are in all.
    pub fn len(&self) -> u64 {
        self.keys.len() as u64 * u64::from(self.hours)
    }

    fn next_hour(&mut self) {
        let (hour, begins) = (self.hour, self.since.plus(HOUR * self.hour));
        let meters = (0..self.keys.len() as u32).map(Meter);
        self.left.extend(meters.map(|meter| (meter, hourly::reading(meter, hour, begins))));
        self.left.sort_unstable_by_key(|(_, reading)| std::cmp::Reverse(reading.time));
        self.hour += 1;
    }
}

impl Iterator for Arrivals<'_> {
    type Item = Numbered;

    fn next(&mut self) -> Option<Numbered> {
        if self.left.is_empty() && self.hour < self.hours {
            self.next_hour();
        }
        let (meter, reading) = self.left.pop()?;
        self.handed_out += 1;
        let record = Record {
            reseller: self.reseller,
            to: Addressee::Device(*self.keys.get(meter.0 as usize)?),
            month: Month::of(reading.time),
            received_at: reading.time.plus(std::time::Duration::from_millis(180)),
            device_name: Some(Name::stored(format!("meter {:06x}", meter.0))),
            position: Position::default(),
            readings: vec![reading],
        };
        Some((self.handed_out, record))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use weir_app::Env;

    use super::*;

    #[test]
    fn every_device_reports_once_an_hour_in_the_order_of_time() {
        let since = Timestamp::parse("2026-03-31T20:00:00Z").unwrap();
        let reseller = ResellerId::from_uuid(Env::system().ids.next(since));
        let keys: Vec<DeviceKey> = (100..150).map(DeviceKey).collect();
        let arrivals = Arrivals::new(reseller, &keys, 6, since);
        assert_eq!(arrivals.len(), 300);
        let records: Vec<Numbered> = arrivals.collect();
        assert_eq!(records.len(), 300);
        assert!(records.iter().map(|(number, _)| *number).eq(1..=300));
        assert!(records.is_sorted_by_key(|(_, record)| record.received_at));
        let mut counts: HashMap<i64, u32> = HashMap::new();
        for (_, record) in &records {
            let Addressee::Device(key) = record.to else { panic!("nobody's: {record:?}") };
            *counts.entry(key.0).or_default() += 1;
        }
        assert!(counts.len() == 50 && counts.values().all(|count| *count == 6), "{counts:?}");
        let months: Vec<Month> = records.iter().map(|(_, record)| record.month).collect();
        assert_ne!(months[0], months[299]);
    }
}
