//! A figure, and what it is meant to be.

use std::fmt;

use serde::Serialize;

/// A figure that is held against a target.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Goal {
    /// What was measured.
    pub figure: f64,
    /// Where the limit is.
    pub target: f64,
    /// On which side of it the figure is meant to be.
    pub side: Side,
    /// Whether it is.
    pub is_reached: bool,
}

/// A side of a limit; the limit itself belongs to both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The more, the better.
    AtLeast,
    /// The less, the better.
    AtMost,
}

impl Goal {
    /// A figure that is meant to be so large.
    pub fn at_least(target: f64, figure: f64) -> Self {
        Self { figure, target, side: Side::AtLeast, is_reached: figure >= target }
    }

    /// A figure that is meant to be no larger.
    pub fn at_most(target: f64, figure: f64) -> Self {
        Self { figure, target, side: Side::AtMost, is_reached: figure <= target }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::AtLeast => "at least",
            Side::AtMost => "at most",
        };
        let verdict = if self.is_reached { "reached" } else { "missed" };
        write!(f, "{side} {}, {verdict}", self.target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_says_whether_it_is_reached() {
        assert_eq!(Goal::at_least(0.7, 0.7).to_string(), "at least 0.7, reached");
        assert_eq!(Goal::at_least(0.7, 0.699).to_string(), "at least 0.7, missed");
        assert_eq!(Goal::at_most(30.0, 29.5).to_string(), "at most 30, reached");
        assert_eq!(Goal::at_most(30.0, 31.0).to_string(), "at most 30, missed");
        // What could not be measured is not reached.
        assert!(!Goal::at_least(0.7, f64::NAN).is_reached);
    }
}
