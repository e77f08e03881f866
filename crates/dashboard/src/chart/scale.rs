//! Axes with round numbers.

/// About how many parts an axis has.
const PARTS: f64 = 4.0;

/// An axis from nothing to a round number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    step: f64,
    steps: u32,
}

impl Scale {
    /// The axis that reaches a value; up to one where there is nothing to reach.
    pub fn reaching(value: f64) -> Self {
        if !(value > 0.0 && value.is_finite()) {
            return Self { step: 1.0, steps: 1 };
        }
        let rough = value / PARTS;
        let power = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|round| round * power >= rough);
        let step = round.unwrap_or(10.0) * power;
        Self { step, steps: (value / step).ceil().max(1.0) as u32 }
    }

    /// Its upper end.
    pub fn top(self) -> f64 {
        self.step * f64::from(self.steps)
    }

    /// Its round numbers, from nothing to the top.
    pub fn marks(self) -> impl Iterator<Item = f64> {
        (0..=self.steps).map(move |number| self.step * f64::from(number))
    }

    /// With how many decimals its numbers are told apart.
    pub fn decimals(self) -> usize {
        (-self.step.log10().floor()).clamp(0.0, 6.0) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_round() {
        let written = |value| {
            let scale = Scale::reaching(value);
            let write = |mark: f64| format!("{mark:.*}", scale.decimals());
            scale.marks().map(write).collect::<Vec<_>>()
        };
        assert_eq!(written(0.412), ["0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(written(93.0), ["0", "50", "100"]);
        assert_eq!(written(4.0), ["0", "1", "2", "3", "4"]);
        assert_eq!(written(0.0), ["0", "1"]);
        assert_eq!(written(f64::NAN), ["0", "1"]);
    }

    proptest! {
        #[test]
        fn every_value_is_reached_in_few_steps(value in 1e-6..1e9_f64) {
            let scale = Scale::reaching(value);
            prop_assert!(scale.top() >= value * (1.0 - 1e-9));
            prop_assert!((1..=6).contains(&scale.steps));
        }
    }
}
