//! When signing keys are made, used and forgotten.
//!
//! A key is published as soon as it is made and signs from [`LEAD`] later on, so that whoever keeps a
//! copy of the published keys has it by then. The one before it stays published for [`REMAINDER`] more,
//! for what it signed last is still on its way.

use std::time::Duration;

use crate::Timestamp;

/// After how long the newest key gets a successor.
pub const KEY_LIFETIME: Duration = Duration::from_hours(30 * 24);
/// For how long a key is published before it signs.
pub const LEAD: Duration = Duration::from_mins(10);
/// For how long a key stays published after its successor began to sign.
pub const REMAINDER: Duration = Duration::from_hours(24);

/// What is to be done about the keys there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whether one is to be made.
    pub make: bool,
    /// How many are to be forgotten, of the oldest.
    pub forget: usize,
}

/// What is to be done about keys that were made at these times, oldest first.
pub fn plan(made_at: &[Timestamp], now: Timestamp) -> Plan {
    let is_replaced = |successor: &&Timestamp| now >= successor.plus(LEAD + REMAINDER);
    Plan {
        make: made_at.last().is_none_or(|newest| now >= newest.plus(KEY_LIFETIME)),
        forget: made_at.iter().skip(1).take_while(is_replaced).count(),
    }
}

/// Which one of keys that were made at these times, oldest first, signs now: the newest that has been
/// published for long enough. The first one ever has nobody to wait for.
pub fn signer(made_at: &[Timestamp], now: Timestamp) -> Option<usize> {
    let is_known = |made: &Timestamp| now >= made.plus(LEAD);
    made_at.iter().rposition(is_known).or_else(|| (!made_at.is_empty()).then_some(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: Timestamp = Timestamp::from_micros(1_774_785_600_000_000);
    const MOMENT: Duration = Duration::from_micros(1);

    #[test]
    fn the_first_key_is_made_at_once_and_signs_at_once() {
        assert_eq!(plan(&[], START), Plan { make: true, forget: 0 });
        assert_eq!(signer(&[], START), None);
        assert_eq!(signer(&[START], START), Some(0));
        assert_eq!(plan(&[START], START), Plan { make: false, forget: 0 });
    }

    #[test]
    fn a_successor_is_made_published_and_used_in_turn() {
        let second = START.plus(KEY_LIFETIME);
        assert!(!plan(&[START], second.minus(MOMENT)).make);
        assert!(plan(&[START], second).make);
        let both = [START, second];
        assert_eq!(signer(&both, second.plus(LEAD).minus(MOMENT)), Some(0));
        assert_eq!(signer(&both, second.plus(LEAD)), Some(1));
        let over = second.plus(LEAD + REMAINDER);
        assert_eq!(plan(&both, over.minus(MOMENT)), Plan { make: false, forget: 0 });
        assert_eq!(plan(&both, over), Plan { make: false, forget: 1 });
    }

    #[test]
    fn two_nodes_that_make_the_first_key_at_once_sign_with_the_same() {
        assert_eq!(signer(&[START, START], START), Some(0));
        assert_eq!(signer(&[START, START], START.plus(LEAD)), Some(1));
    }

    proptest! {
        /// Whenever somebody looks, now and then or after months, what signs is published, has been for
        /// long enough, and what signed a moment ago still is.
        #[test]
        fn nothing_that_signs_is_unknown(steps in prop::collection::vec(1_u64..40 * 24 * 60, 1..60)) {
            let (mut keys, mut now) = (Vec::new(), START);
            for minutes in steps {
                let signed_with = signer(&keys, now).map(|index| keys[index]);
                now = now.plus(Duration::from_mins(minutes));
                let Plan { make, forget } = plan(&keys, now);
                let before = keys.clone();
                keys.drain(..forget);
                if make {
                    keys.push(now);
                }
                let signing = keys[signer(&keys, now).unwrap()];
                prop_assert!(before.is_empty() || before.contains(&signing), "never unpublished");
                if let Some(key) = signed_with && minutes < 24 * 60 {
                    prop_assert!(keys.contains(&key), "what signed within a day is published");
                }
                prop_assert!(keys.len() <= 3);
            }
        }
    }
}
