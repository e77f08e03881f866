//! The sessions that this node has seen lately, so that not every request asks the store.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use weir_domain::person::Person;
use weir_domain::{SessionId, Timestamp};

/// For how long a session is trusted to be as it was seen.
const TRUSTED: Duration = Duration::from_secs(30);
/// How many are remembered.
const MOST: usize = 10_000;

/// Sessions as they were seen: whose they are, or that they ended.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    sessions: HashMap<SessionId, (Timestamp, Option<Person>)>,
    /// Counts what was forgotten: what was read from the store before the latest is not kept.
    news: u64,
}

impl Sessions {
    /// What is known of a session, if that can be trusted.
    pub(super) fn recall(&self, id: SessionId, now: Timestamp) -> Option<Option<Person>> {
        let seen = self.lock();
        let (at, person) = seen.sessions.get(&id)?;
        is_trusted(*at, now).then(|| person.clone())
    }

    /// How often something was forgotten; to be asked for before the store is.
    pub(super) fn news(&self) -> u64 {
        self.lock().news
    }

    /// Keeps what the store said, unless something was forgotten meanwhile.
    pub(super) fn remember(
        &self,
        id: SessionId,
        person: &Option<Person>,
        now: Timestamp,
        news: u64,
    ) {
        let mut seen = self.lock();
        if seen.news != news {
            return;
        }
        if seen.sessions.len() >= MOST {
            seen.sessions.retain(|_, (at, _)| is_trusted(*at, now));
        }
        // So many at once are rare, and the store knows them all.
        if seen.sessions.len() >= MOST {
            seen.sessions.clear();
        }
        seen.sessions.insert(id, (now, person.clone()));
    }

    /// Forgets a session: it ended, or may have.
    pub(super) fn forget(&self, id: SessionId) {
        let mut seen = self.lock();
        seen.news += 1;
        seen.sessions.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether what was seen at a moment still counts. A clock that was set back makes nothing newer.
fn is_trusted(at: Timestamp, now: Timestamp) -> bool {
    at <= now && now < at.plus(TRUSTED)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use weir_domain::person::Email;

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_774_785_600_000_000);

    fn id(number: u128) -> SessionId {
        SessionId::from_uuid(Uuid::from_u128(number))
    }

    fn ada() -> Option<Person> {
        Some(Email::parse("ada@example.org").unwrap().into())
    }

    #[test]
    fn a_session_is_trusted_for_half_a_minute() {
        let sessions = Sessions::default();
        assert_eq!(sessions.recall(id(1), NOW), None);
        sessions.remember(id(1), &ada(), NOW, sessions.news());
        sessions.remember(id(2), &None, NOW, sessions.news());
        let last = NOW.plus(TRUSTED).minus(Duration::from_micros(1));
        assert_eq!(sessions.recall(id(1), last), Some(ada()));
        assert_eq!(sessions.recall(id(2), last), Some(None));
        assert_eq!(sessions.recall(id(1), NOW.plus(TRUSTED)), None);
        assert_eq!(sessions.recall(id(1), NOW.minus(TRUSTED)), None);
    }

    #[test]
    fn what_was_read_before_a_sign_out_is_not_kept() {
        let sessions = Sessions::default();
        sessions.remember(id(1), &ada(), NOW, sessions.news());
        let news = sessions.news();
        sessions.forget(id(1));
        assert_eq!(sessions.recall(id(1), NOW), None);
        sessions.remember(id(1), &ada(), NOW, news);
        assert_eq!(sessions.recall(id(1), NOW), None);
    }

    #[test]
    fn only_so_many_are_remembered() {
        let sessions = Sessions::default();
        for number in 0..3 * MOST as u128 {
            sessions.remember(id(number), &None, NOW, sessions.news());
            assert!(sessions.lock().sessions.len() <= MOST);
        }
        assert_eq!(sessions.recall(id(3 * MOST as u128 - 1), NOW), Some(None));
    }
}
