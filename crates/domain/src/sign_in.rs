//! Signing in: how long links, sessions and signing keys last.

mod signing_keys;

use std::time::Duration;

use crate::Timestamp;

pub use signing_keys::{KEY_LIFETIME, LEAD, Plan, REMAINDER, plan, signer};

/// How long a link signs in.
pub const LINK_LIFETIME: Duration = Duration::from_mins(15);
/// How many links an address may be sent within the lifetime of one.
pub const LINKS_PER_ADDRESS: u64 = 5;
/// How long an access token is good for.
pub const ACCESS_LIFETIME: Duration = Duration::from_mins(5);
/// How long a session lasts after its last refresh.
pub const SESSION_LIFETIME: Duration = Duration::from_hours(30 * 24);
/// How long a session lasts at most, however often it is refreshed: whoever signed in at a provider has to
/// show now and then that it still vouches for them.
pub const LONGEST_SESSION: Duration = Duration::from_hours(90 * 24);
/// For how long the refresh token before the current one is still taken: an answer may get lost, and two
/// pages may ask at once.
pub const GRACE: Duration = Duration::from_secs(30);

/// Whether an address may be sent one more link.
pub const fn may_send(sent_within_lifetime: u64) -> bool {
    sent_within_lifetime < LINKS_PER_ADDRESS
}

/// When a session ends that began at one moment and is refreshed at another.
pub fn session_end(created_at: Timestamp, refreshed_at: Timestamp) -> Timestamp {
    refreshed_at.plus(SESSION_LIFETIME).min(created_at.plus(LONGEST_SESSION))
}

/// Which one of a session's refresh tokens somebody presents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presented {
    /// The current one.
    Current,
    /// The one before it.
    Previous,
    /// An older one.
    Older,
}

/// Whether a session goes on when a refresh token of it is presented. Where it does not, it ends:
/// somebody uses a token that was used before, and nobody can tell who of them is the thief.
pub fn goes_on(
    presented: Presented,
    refreshed_at: Timestamp,
    expires_at: Timestamp,
    now: Timestamp,
) -> bool {
    let is_taken = match presented {
        Presented::Current => true,
        Presented::Previous => now <= refreshed_at.plus(GRACE),
        Presented::Older => false,
    };
    is_taken && now < expires_at
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_774_785_600_000_000);

    #[test]
    fn an_address_gets_five_links() {
        assert!(may_send(0) && may_send(4));
        assert!(!may_send(5) && !may_send(6));
    }

    #[test]
    fn a_session_goes_on_with_the_token_that_is_current() {
        let ends = NOW.plus(SESSION_LIFETIME);
        let with = |presented, now| goes_on(presented, NOW, ends, now);
        let just_before = Timestamp::from_micros(ends.micros() - 1);
        for now in [NOW, NOW.plus(GRACE), just_before] {
            assert!(with(Presented::Current, now));
            assert!(!with(Presented::Older, now));
        }
        assert!(!with(Presented::Current, ends));
    }

    #[test]
    fn a_session_that_is_refreshed_lasts_for_ninety_days() {
        let day = |count: u64| NOW.plus(Duration::from_hours(24 * count));
        assert_eq!(session_end(NOW, NOW), day(30));
        assert_eq!(session_end(NOW, day(29)), day(59));
        assert_eq!(session_end(NOW, day(61)), day(90));
        assert_eq!(session_end(NOW, day(89)), day(90));
    }

    #[test]
    fn the_previous_token_is_taken_for_a_moment() {
        let ends = NOW.plus(SESSION_LIFETIME);
        let with = |now: Timestamp| goes_on(Presented::Previous, NOW, ends, now);
        assert!(with(NOW) && with(NOW.plus(GRACE)));
        assert!(!with(NOW.plus(GRACE + Duration::from_micros(1))));
        assert!(!goes_on(Presented::Previous, NOW, NOW, NOW), "not past the session's end");
    }
}
