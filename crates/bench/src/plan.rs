//! What is to be measured, and how much of it.

use std::time::Duration;

use crate::cli::{Args, Part};
use crate::failure::Failure;
use crate::fleet::METERS;

/// What is to be measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Of ingestion.
    pub ingestion: Option<Ingestion>,
    /// Of the room that readings take.
    pub size: Option<Size>,
    /// Of reads.
    pub reads: Option<Reads>,
    /// Whether pages are measured.
    pub pages: bool,
}

/// The size of the benchmark of ingestion, part by part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ingestion {
    /// How many connections send at the same time.
    pub connections: u32,
    /// How many meters there are.
    pub devices: u32,
    /// How many rounds of bursts there are.
    pub rounds: Option<u32>,
    /// How long uplinks are sent as fast as they are taken.
    pub sustained: Option<Duration>,
    /// How uplinks are sent at moments that are set beforehand.
    pub paced: Option<Paced>,
}

/// How uplinks are sent at moments that are set beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paced {
    /// For how long.
    pub time: Duration,
    /// How many a second; where nothing is said, half of what is taken for long.
    pub per_second: Option<f64>,
}

/// How many readings are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How many devices they are of.
    pub devices: u32,
    /// How many each of them has, one an hour.
    pub hours: u32,
}

/// How big a fleet is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reads {
    /// How many devices it has.
    pub devices: u32,
    /// How many readings most of them have.
    pub readings: u32,
}

impl Args {
    /// What is asked for, if that is possible.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let ingestion = [Part::Burst, Part::Sustained, Part::Paced];
        let ingestion = ingestion.into_iter().any(|part| self.wants(part));
        Ok(Plan {
            ingestion: ingestion.then(|| self.ingestion()).transpose()?,
            size: self.wants(Part::Size).then(|| self.size()).transpose()?,
            reads: self.wants(Part::Reads).then(|| self.reads()).transpose()?,
            pages: self.wants(Part::Pages),
        })
    }

    fn ingestion(&self) -> Result<Ingestion, Failure> {
        let &Self { connections, devices, .. } = self;
        if devices < connections {
            return Err(Failure::TooFewDevices { connections, devices });
        }
        let wants = |part| self.wants(part).then_some(());
        let paced = wants(Part::Paced).map(|()| Paced {
            time: Duration::from_secs(self.paced_seconds),
            per_second: self.rate.map(f64::from),
        });
        let sustained = wants(Part::Sustained).map(|()| Duration::from_secs(self.seconds));
        if paced.is_some_and(|paced| paced.per_second.is_none()) && sustained.is_none() {
            return Err(Failure::NoRate);
        }
        let rounds = wants(Part::Burst).map(|()| self.rounds);
        let devices = in_buildings(devices, METERS)?;
        Ok(Ingestion { connections, devices, rounds, sustained, paced })
    }

    fn size(&self) -> Result<Size, Failure> {
        let (devices, readings) = (in_buildings(self.size_devices, METERS)?, self.size_readings);
        match u32::try_from(readings / u64::from(devices)) {
            Ok(hours) if hours > 0 => Ok(Size { devices, hours }),
            _ => Err(Failure::TooFewReadings { devices, readings }),
        }
    }

    /// A tenth of the fleet has whole buildings as well.
    fn reads(&self) -> Result<Reads, Failure> {
        let devices = in_buildings(self.fleet, 10 * METERS)?;
        Ok(Reads { devices, readings: self.readings_per_device })
    }
}

const fn in_buildings(devices: u32, step: u32) -> Result<u32, Failure> {
    if devices.is_multiple_of(step) {
        Ok(devices)
    } else {
        Err(Failure::OddFleet { devices, step })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn plan(words: &str) -> Result<Plan, String> {
        let args = Args::parse_from(["weir-bench"].into_iter().chain(words.split_whitespace()));
        args.plan().map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_connection_has_a_meter_of_its_own() {
        assert_eq!(plan("--devices 260").unwrap().ingestion.unwrap().devices, 260);
        assert!(plan("--devices 240").unwrap_err().contains("at least as many devices, not 240"));
    }

    #[test]
    fn a_fleet_and_a_tenth_of_it_have_whole_buildings() {
        let reads = |fleet| plan(&format!("--only reads --fleet {fleet}"));
        assert_eq!(reads(400).unwrap().reads, Some(Reads { devices: 400, readings: 200 }));
        assert!(reads(300).unwrap_err().contains("300 is no multiple of 200"));
        assert!(plan("--devices 270").unwrap_err().contains("270 is no multiple of 20"));
    }

    #[test]
    fn a_pace_is_half_of_what_was_measured_or_what_is_said() {
        assert!(plan("--only paced").unwrap_err().contains("--rate"));
        let ingestion = plan("--only paced --rate 500").unwrap().ingestion.unwrap();
        assert_eq!(ingestion.paced.unwrap().per_second, Some(500.0));
        assert_eq!((ingestion.rounds, ingestion.sustained), (None, None));
        let ingestion = plan("--only paced,sustained").unwrap().ingestion.unwrap();
        assert_eq!(ingestion.paced.unwrap().per_second, None);
    }

    #[test]
    fn every_device_has_the_same_number_of_readings() {
        let size = |words: &str| plan(&format!("--only size {words}"));
        assert_eq!(size("").unwrap().size, Some(Size { devices: 10_000, hours: 1_000 }));
        assert_eq!(size("").unwrap().ingestion, None);
        assert!(size("--size-readings 9999").unwrap_err().contains("not 9999"));
    }
}
