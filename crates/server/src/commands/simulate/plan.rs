//! What a run sends.

use super::meter::Meter;
use super::schedule::Schedule;
use super::uplink;
use crate::household::chance;

/// Which reading of which meter, in the order in which the meter sends them.
pub type Place = (u32, u32);

/// A run.
#[derive(Debug)]
pub struct Plan {
    /// The tenant name in the uplinks.
    pub tenant: String,
    /// The meters with their readings.
    pub meters: Vec<Meter>,
    /// When they send.
    pub schedule: Schedule,
    /// How many per cent of uplinks are sent twice.
    pub repeats: u8,
    /// What the repeats are drawn with.
    pub seed: u64,
}

impl Plan {
    /// Whose turn an uplink is.
    pub fn place(&self, number: u64) -> Place {
        let (meter, turn) = self.schedule.whose(number);
        (meter as u32, turn as u32)
    }

    /// The body of an uplink.
    pub fn body(&self, (meter, turn): Place) -> String {
        let meter = &self.meters[meter as usize];
        uplink::body(&self.tenant, meter, turn as usize)
    }

    /// How often an uplink is sent.
    pub fn times(&self, number: u64) -> usize {
        let is_repeated = chance(self.seed ^ 0x7e9e_a700, number) % 100 < u64::from(self.repeats);
        1 + usize::from(is_repeated)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::commands::simulate::schedule::Pace;

    #[test]
    fn a_share_of_uplinks_is_sent_twice() {
        let sent = |repeats| {
            let pace = Pace::Steady { per_second: 1_000.0 };
            let schedule = Schedule { pace, meters: 1, length: Duration::from_secs(1) };
            let plan =
                Plan { tenant: String::new(), meters: Vec::new(), schedule, repeats, seed: 3 };
            (0..1_000).map(|number| plan.times(number)).sum::<usize>()
        };
        assert_eq!((sent(0), sent(100)), (1_000, 2_000));
        assert!((1_150..1_250).contains(&sent(20)), "{}", sent(20));
    }
}
