//! What was measured, as numbers.

use serde::Serialize;

use crate::figures::percentile_ms;

/// How long the answers to a question took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Timing {
    /// Half of them took no longer.
    pub median_ms: f64,
    /// 95 of 100 took no longer.
    pub p95_ms: f64,
    /// How many there were.
    pub answers: usize,
}

impl Timing {
    /// Of latencies in microseconds.
    pub fn of(latencies: &mut [u32]) -> Self {
        Self {
            median_ms: percentile_ms(latencies, 500),
            p95_ms: percentile_ms(latencies, 950),
            answers: latencies.len(),
        }
    }
}

/// What came of asking a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The answers were right.
    Timed(Timing),
    /// An answer was wrong, and this about it.
    Wrong(String),
}

impl Finding {
    /// The time, where there is one.
    pub const fn timing(&self) -> Option<Timing> {
        match self {
            Self::Timed(timing) => Some(*timing),
            Self::Wrong(_) => None,
        }
    }
}

/// A question that was asked of a small fleet and of a big one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// What a tenth of the fleet gave.
    pub tenth: Finding,
    /// What all of it gave.
    pub all: Finding,
    /// What half of the answers are meant not to pass, in milliseconds.
    pub aim_ms: Option<f64>,
}

impl Asked {
    /// How many times as long ten times as much data takes.
    pub fn growth(&self) -> Option<f64> {
        let (tenth, all) = (self.tenth.timing()?, self.all.timing()?);
        (tenth.median_ms > 0.0).then(|| all.median_ms / tenth.median_ms)
    }

    /// Whether the aim is reached with all of the data, where there is one.
    pub fn is_reached(&self) -> Option<bool> {
        Some(self.all.timing()?.median_ms <= self.aim_ms?)
    }
}

/// A fleet, and what making it took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Made {
    /// How many devices it has.
    pub devices: u64,
    /// How many readings.
    pub readings: u64,
    /// How long it took to get them into the store.
    pub loading_seconds: f64,
    /// How much room all of it takes on the disk, for each reading.
    pub bytes_per_reading: f64,
}

/// What was measured on one store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reads {
    /// A tenth of the fleet.
    pub tenth: Made,
    /// All of it.
    pub all: Made,
    /// The questions.
    pub questions: Vec<Asked>,
}

impl Reads {
    /// Whether all answers were right.
    pub fn is_right(&self) -> bool {
        self.questions.iter().all(|it| it.tenth.timing().is_some() && it.all.timing().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(tenth: f64, all: Finding) -> Asked {
        let tenth = Finding::Timed(Timing { median_ms: tenth, p95_ms: tenth, answers: 1 });
        Asked { question: "statistics".into(), tenth, all, aim_ms: Some(2.0) }
    }

    #[test]
    fn a_timing_is_the_ranks_of_its_latencies() {
        let mut latencies: Vec<u32> = (1..=200).rev().map(|n| n * 100).collect();
        let expected = Timing { median_ms: 10.0, p95_ms: 19.0, answers: 200 };
        assert_eq!(Timing::of(&mut latencies), expected);
    }

    #[test]
    fn growth_is_that_of_the_medians() {
        let timed = |median_ms| Finding::Timed(Timing { median_ms, p95_ms: 9.0, answers: 1 });
        assert_eq!(asked(0.5, timed(2.0)).growth(), Some(4.0));
        assert_eq!(asked(0.5, timed(2.0)).is_reached(), Some(true));
        assert_eq!(asked(0.5, timed(2.1)).is_reached(), Some(false));
        assert_eq!(asked(0.0, timed(2.1)).growth(), None);
        let wrong = asked(0.5, Finding::Wrong("too few".into()));
        assert_eq!((wrong.growth(), wrong.is_reached()), (None, None));
        let unaimed = Asked { aim_ms: None, ..asked(0.5, timed(2.0)) };
        assert_eq!(unaimed.is_reached(), None);
    }
}
