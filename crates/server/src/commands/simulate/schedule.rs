//! When which meter sends.

use std::time::Duration;

/// How uplinks are spread over time.
#[derive(Debug, Clone, Copy)]
pub enum Pace {
    /// Evenly, so many a second.
    Steady {
        /// How many.
        per_second: f64,
    },
    /// All meters at once at the start of every interval.
    Bursts {
        /// How long an interval is.
        every: Duration,
    },
}

/// The moments of a run. Uplinks are numbered from 0; the meters take turns.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    /// How they are spread.
    pub pace: Pace,
    /// How many meters there are.
    pub meters: usize,
    /// How long the run is.
    pub length: Duration,
}

impl Schedule {
    /// How many uplinks there are.
    pub fn total(&self) -> u64 {
        match self.pace {
            Pace::Steady { per_second } => (self.length.as_secs_f64() * per_second) as u64,
            Pace::Bursts { every } => {
                self.meters as u64 * self.length.as_micros().div_ceil(every.as_micros()) as u64
            }
        }
    }

    /// How long after the start an uplink is due.
    pub fn due(&self, number: u64) -> Duration {
        match self.pace {
            Pace::Steady { per_second } => Duration::from_secs_f64(number as f64 / per_second),
            Pace::Bursts { every } => every.saturating_mul(self.whose(number).1 as u32),
        }
    }

    /// Which meter sends it, and how many it has sent before.
    pub fn whose(&self, number: u64) -> (usize, usize) {
        (number as usize % self.meters, number as usize / self.meters)
    }

    /// How many uplinks a meter sends.
    pub fn turns(&self, meter: usize) -> usize {
        (self.total() as usize).saturating_sub(meter).div_ceil(self.meters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steady(per_second: f64, meters: usize, seconds: u64) -> Schedule {
        let length = Duration::from_secs(seconds);
        Schedule { pace: Pace::Steady { per_second }, meters, length }
    }

    fn bursts(every: u64, meters: usize, seconds: u64) -> Schedule {
        let (every, length) = (Duration::from_secs(every), Duration::from_secs(seconds));
        Schedule { pace: Pace::Bursts { every }, meters, length }
    }

    #[test]
    fn a_steady_rate_is_even() {
        let schedule = steady(4.0, 3, 5);
        assert_eq!(schedule.total(), 20);
        let due: Vec<u128> = (0..4).map(|number| schedule.due(number).as_millis()).collect();
        assert_eq!(due, [0, 250, 500, 750]);
        assert!(schedule.due(19) < schedule.length);
        assert_eq!(steady(0.5, 3, 5).total(), 2);
        assert_eq!(steady(0.1, 3, 5).total(), 0);
    }

    #[test]
    fn a_burst_is_everybody_at_once() {
        let schedule = bursts(10, 3, 25);
        assert_eq!(schedule.total(), 9);
        let due: Vec<u64> = (0..9).map(|number| schedule.due(number).as_secs()).collect();
        assert_eq!(due, [0, 0, 0, 10, 10, 10, 20, 20, 20]);
        assert_eq!(bursts(60, 7, 1).total(), 7);
        assert_eq!(bursts(10, 7, 20).total(), 14);
    }

    #[test]
    fn every_uplink_is_one_turn_of_one_meter() {
        for schedule in [steady(4.0, 3, 5), steady(1.0, 30, 5), bursts(10, 3, 25)] {
            let mut turns = vec![0; schedule.meters];
            for number in 0..schedule.total() {
                let (meter, turn) = schedule.whose(number);
                assert_eq!(turn, turns[meter]);
                turns[meter] += 1;
            }
            let planned: Vec<usize> = (0..schedule.meters).map(|it| schedule.turns(it)).collect();
            assert_eq!(turns, planned);
        }
    }
}
