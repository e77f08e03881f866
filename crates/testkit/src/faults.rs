//! How hard faults are tried, with which dice, and what came of it.
//!
//! | variable | does |
//! |---|---|
//! | `WEIR_FAULTS=long` | tries every fault many times more, with new dice; for an hour, not for every change |
//! | `WEIR_FAULTS_SEED=NUMBER` | throws the dice of that run again |

use std::io::Write;

/// How often a fault is tried: that often, or, where the tester wants it long, so often.
pub fn times(short: u64, long: u64) -> u64 {
    if is_long() { long } else { short }
}

fn is_long() -> bool {
    match variable("WEIR_FAULTS").as_deref() {
        None | Some("" | "short") => false,
        Some("long") => true,
        Some(other) => panic!("WEIR_FAULTS is `long` or nothing, not {other:?}"),
    }
}

/// Dice that can be thrown again (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance {
    seed: u64,
    state: u64,
}

impl Chance {
    /// Dice that fall as the tester wants, else as they usually do, and in a long run as never before.
    pub fn usually(seed: u64) -> Self {
        let wanted = variable("WEIR_FAULTS_SEED").map(|seed| {
            seed.parse().unwrap_or_else(|_| panic!("WEIR_FAULTS_SEED is no number: {seed:?}"))
        });
        let seed = wanted.unwrap_or_else(|| if is_long() { surprise() } else { seed });
        Self { seed, state: seed }
    }

    /// What they can be thrown again with.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// A number below this one, which is not 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// What nobody knows before: the keys that the standard library draws for its maps.
fn surprise() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0) >> 32
}

fn variable(name: &str) -> Option<String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long a test runs is no setting of the service"
    )]
    std::env::var(name).ok()
}

/// Says what came of a fault, also where the output of tests that pass is not shown.
pub fn tell(what: &str) {
    // Past the print macros, which the test harness keeps for itself.
    let _ = std::io::stderr().lock().write_all(format!("    {what}\n").as_bytes());
}

/// A number as people read it: `41,233`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let grouped = [0, 999, 1_000, 41_233, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "41,233", "1,234,567"]);
    }

    #[test]
    fn the_same_seed_throws_the_same_dice() {
        let dice = || Chance { seed: 7, state: 7 };
        let (mut one, mut other) = (dice(), dice());
        let thrown: Vec<u64> = (0..100).map(|_| one.below(6)).collect();
        assert!((0..6).all(|side| thrown.contains(&side)));
        assert!(thrown.iter().all(|side| *side == other.below(6)));
    }
}
