//! What a meter measured against what its sub-meters did.

use weir_domain::Volume;

/// From which share of its own consumption on a loss is worth a look: meters are not that exact.
const NOTABLE_PERCENT: i64 = 5;

/// The consumption of a meter and of those right below it, over the same days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// Its own; none where nothing was read.
    pub own: Option<Volume>,
    /// The sum of those below.
    pub below: Volume,
    /// How many of those below were not heard, so that the sum lacks them.
    pub unheard: usize,
}

impl Balance {
    /// The balance of a meter and of those right below it.
    pub fn of(own: Option<Volume>, below: impl IntoIterator<Item = Option<Volume>>) -> Self {
        let (mut sum, mut unheard) = (0_i64, 0);
        for consumed in below {
            match consumed {
                Some(volume) => sum = sum.saturating_add(volume.millilitres()),
                None => unheard += 1,
            }
        }
        Self { own, below: Volume::from_millilitres(sum), unheard }
    }

    /// What was lost on the way, in millilitres; less than nothing where more came out below.
    pub fn lost(&self) -> Option<i64> {
        self.own.map(|own| own.millilitres().saturating_sub(self.below.millilitres()))
    }

    /// The loss in hundredths of its own consumption, rounded towards nothing; none where nothing was
    /// consumed.
    pub fn percent(&self) -> Option<i64> {
        let own = self.own?.millilitres();
        let lost = self.lost()?;
        (own > 0).then(|| (i128::from(lost) * 100 / i128::from(own)) as i64)
    }

    /// Whether somebody should look: much is missing, or more came out below than went in. Where
    /// sub-meters were not heard, what is missing may be theirs.
    pub fn is_notable(&self) -> bool {
        let is_much = self.percent().is_some_and(|percent| percent.abs() >= NOTABLE_PERCENT);
        is_much && (self.unheard == 0 || self.lost() < Some(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn litres(litres: i64) -> Option<Volume> {
        Some(Volume::from_millilitres(litres * 1_000))
    }

    #[test]
    fn a_loss_is_what_does_not_come_out_below() {
        let balance = Balance::of(litres(200), [litres(90), litres(60)]);
        assert_eq!(balance.below, litres(150).unwrap());
        assert_eq!((balance.lost(), balance.percent()), (Some(50_000), Some(25)));
        assert!(balance.is_notable());
    }

    #[test]
    fn what_is_missing_may_be_that_of_a_meter_which_was_not_heard() {
        let balance = Balance::of(litres(200), [litres(90), None]);
        assert_eq!((balance.unheard, balance.percent()), (1, Some(55)));
        assert!(!balance.is_notable());
        assert!(Balance::of(litres(200), [litres(300), None]).is_notable());
    }

    #[test]
    fn small_differences_are_those_of_the_meters() {
        assert!(!Balance::of(litres(1_000), [litres(951)]).is_notable());
        assert!(Balance::of(litres(1_000), [litres(950)]).is_notable());
        assert!(Balance::of(litres(1_000), [litres(1_050)]).is_notable());
    }

    #[test]
    fn nothing_is_said_about_a_meter_that_was_not_heard() {
        let silent = Balance::of(None, [litres(5)]);
        assert_eq!((silent.lost(), silent.percent(), silent.is_notable()), (None, None, false));
        assert_eq!(Balance::of(litres(0), [litres(0)]).percent(), None);
    }
}
