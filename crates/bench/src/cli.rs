//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum, value_parser};

use crate::uplink::MOST_METERS;

/// Measures a `weir` service: how it takes uplinks in, against its refusals of the same bodies; how
/// much room readings take; its reads with a tenth of a fleet and with all of it; and its pages.
#[derive(Debug, Parser)]
#[command(name = "weir-bench", max_term_width = 100)]
pub struct Args {
    /// Measure these parts alone, separated by commas [default: all]
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "PARTS",
        hide_default_value = true
    )]
    pub only: Vec<Part>,
    /// Which stores are measured
    #[arg(long, value_enum, default_value_t = Stores::Both)]
    pub store: Stores,
    /// How many processors the client, the service and the database share
    #[arg(long, default_value_t = 2, value_parser = value_parser!(u32).range(1..=1_024))]
    pub processors: u32,
    /// Ingestion: how many connections send at the same time
    #[arg(long, default_value_t = 256, value_parser = value_parser!(u32).range(1..=10_000))]
    pub connections: u32,
    /// Ingestion: how many meters there are, in steps of 20; at least one for each connection
    #[arg(long, default_value_t = 100_000, value_parser = value_parser!(u32).range(20..=MOST_METERS))]
    pub devices: u32,
    /// Burst: how many rounds there are after the first burst
    #[arg(long, default_value_t = 9, value_parser = value_parser!(u32).range(1..=1_000))]
    pub rounds: u32,
    /// Sustained: how long uplinks are sent; refusals before and after take a sixth of it each
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u64).range(1..=86_400))]
    pub seconds: u64,
    /// Paced: how long uplinks are sent
    #[arg(long, default_value_t = 20, value_parser = value_parser!(u64).range(1..=86_400))]
    pub paced_seconds: u64,
    /// Paced: how many uplinks are sent per second [default: half of the sustained rate]
    #[arg(long, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub rate: Option<u32>,
    /// Size: how many devices the readings are of, in steps of 20
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u32).range(20..=1_000_000))]
    pub size_devices: u32,
    /// Size: how many readings are written, the same number for each device
    #[arg(long, default_value_t = 10_000_000, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pub size_readings: u64,
    /// Reads: how many meters the fleet has, in steps of 200
    #[arg(long, default_value_t = 100_000, value_parser = value_parser!(u32).range(200..=1_000_000))]
    pub fleet: u32,
    /// Reads: how many readings most of its meters have; some have those of a year
    #[arg(long, default_value_t = 200, value_parser = value_parser!(u32).range(1..=8_760))]
    pub readings_per_device: u32,
    /// The program to measure [default: the `weir` beside this program]
    #[arg(long, value_name = "PATH")]
    pub weir: Option<PathBuf>,
    /// Where data is written while it runs: a disk, not memory [default: `bench` in the target directory]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print one line of JSON with all figures in place of the tables
    #[arg(long)]
    pub json: bool,
}

/// A part of what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Every meter sends once, as fast as that is taken.
    Burst,
    /// As many uplinks as are taken, for a minute.
    Sustained,
    /// Half as many, at moments that are set beforehand.
    Paced,
    /// The three of them.
    Ingestion,
    /// How much room readings take.
    Size,
    /// What the pages of a big reseller ask for.
    Reads,
    /// The pages of the demonstration.
    Pages,
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

impl Args {
    /// Whether a part is asked for.
    pub fn wants(&self, part: Part) -> bool {
        let whole = match part {
            Part::Burst | Part::Sustained | Part::Paced => Part::Ingestion,
            Part::Ingestion | Part::Size | Part::Reads | Part::Pages => part,
        };
        self.only.is_empty() || self.only.contains(&part) || self.only.contains(&whole)
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
    fn everything_is_measured_unless_some_of_it_is_asked_for() {
        let wanted = |words: &[&str]| -> Vec<Part> {
            let args = Args::parse_from([&["weir-bench"], words].concat());
            let ingestion = [Part::Burst, Part::Sustained, Part::Paced];
            let parts = ingestion.into_iter().chain([Part::Size, Part::Reads, Part::Pages]);
            parts.filter(|part| args.wants(*part)).collect()
        };
        assert_eq!(wanted(&[]).len(), 6);
        assert_eq!(wanted(&["--only", "reads"]), [Part::Reads]);
        assert_eq!(wanted(&["--only", "size,burst"]), [Part::Burst, Part::Size]);
        let ingestion = [Part::Burst, Part::Sustained, Part::Paced];
        assert_eq!(wanted(&["--only", "ingestion"]), ingestion);
    }
}
