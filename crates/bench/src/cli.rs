//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum, value_parser};

use crate::failure::Failure;
use crate::reads::Size;
use crate::reads::fleet::METERS;
use crate::uplink::MAX_DEVICES;

/// Measures a `weir` service: its acknowledged ingestion against its refusals of the same bodies, and
/// its reads with a tenth of a fleet and with all of it.
#[derive(Debug, Parser)]
#[command(name = "weir-bench", max_term_width = 100)]
pub struct Args {
    /// Measure this alone
    #[arg(long, value_enum)]
    pub only: Option<Benchmark>,
    /// Ingestion: how many connections send at the same time
    #[arg(long, default_value_t = 256, value_parser = value_parser!(u32).range(1..=10_000))]
    pub connections: u32,
    /// Ingestion: how many meters are registered; at least one for each connection
    #[arg(long, default_value_t = 2_000, value_parser = value_parser!(u32).range(1..=MAX_DEVICES))]
    pub devices: u32,
    /// Ingestion: how long each half of a round lasts
    #[arg(long, default_value_t = 4, value_parser = value_parser!(u64).range(1..=3_600))]
    pub seconds: u64,
    /// Ingestion: how many rounds there are
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u32).range(1..=1_000))]
    pub rounds: u32,
    /// Reads: how many meters the fleet has, in steps of 200
    #[arg(long, default_value_t = 100_000, value_parser = value_parser!(u32).range(200..=1_000_000))]
    pub fleet: u32,
    /// Reads: how many readings most of its meters have; some have those of a year
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u32).range(1..=8_760))]
    pub readings_per_device: u32,
    /// Which stores are measured
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    pub store: Stores,
    /// The program to measure [default: the `weir` beside this program]
    #[arg(long, value_name = "PATH")]
    pub weir: Option<PathBuf>,
    /// Where data is written while it runs: a disk, not memory [default: `bench` in the target directory]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print one line of JSON with all figures in place of the table
    #[arg(long)]
    pub json: bool,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Benchmark {
    /// Acknowledged uplinks.
    Ingestion,
    /// What the pages of a big reseller ask for.
    Reads,
}

/// Which stores are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stores {
    /// The embedded one.
    Sqlite,
    /// A PostgreSQL that is started for it.
    Postgres,
    /// One after the other.
    Both,
}

/// The size of a run.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many connections send at the same time.
    pub connections: u32,
    /// How many meters there are.
    pub devices: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// How long each half of a round lasts.
    pub half_round: Duration,
    /// How long each half of the round before the first lasts, which is not reported.
    pub warm_up: Duration,
}

impl Args {
    /// The size of the run that is asked for.
    pub fn plan(&self) -> Result<Plan, Failure> {
        let &Self { connections, devices, rounds, seconds, .. } = self;
        if devices < connections {
            return Err(Failure::TooFewDevices { connections, devices });
        }
        let (half_round, warm_up) = (Duration::from_secs(seconds), Duration::from_secs(1));
        Ok(Plan { connections, devices, rounds, half_round, warm_up })
    }

    /// The size of the fleet that is asked for.
    pub const fn size(&self) -> Result<Size, Failure> {
        if !self.fleet.is_multiple_of(10 * METERS) {
            return Err(Failure::OddFleet(self.fleet));
        }
        Ok(Size { devices: self.fleet, readings: self.readings_per_device })
    }

    /// Whether a benchmark is asked for.
    pub fn wants(&self, benchmark: Benchmark) -> bool {
        self.only.is_none_or(|only| only == benchmark)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_connection_has_a_meter_of_its_own() {
        let plan = |devices| Args::parse_from(["weir-bench", "--devices", devices]).plan();
        assert_eq!(plan("256").unwrap().connections, 256);
        assert!(plan("255").unwrap_err().to_string().contains("255"));
    }

    #[test]
    fn a_fleet_and_a_tenth_of_it_have_whole_buildings() {
        let size = |fleet| Args::parse_from(["weir-bench", "--fleet", fleet]).size();
        assert_eq!(size("400").unwrap(), Size { devices: 400, readings: 200 });
        assert!(size("300").unwrap_err().to_string().contains("300"));
    }

    #[test]
    fn everything_is_measured_unless_one_thing_is_asked_for() {
        let args = |words: &[&str]| Args::parse_from([&["weir-bench"], words].concat());
        assert!(args(&[]).wants(Benchmark::Ingestion) && args(&[]).wants(Benchmark::Reads));
        let only = args(&["--only", "reads"]);
        assert!(only.wants(Benchmark::Reads) && !only.wants(Benchmark::Ingestion));
    }
}
