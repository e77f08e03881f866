//! Signing in: memberships, links, sessions and signing keys.

use std::collections::BTreeSet;

use rusqlite::params;
use weir_domain::person::{Email, Identity, Subject};
use weir_domain::{MemberId, ResellerId, SessionId, Timestamp};
use weir_store::{KeyHash, MagicLink, Session, SignInTx, SigningKey, StoreResult};

use crate::row::{self, sign_in};
use crate::tx::Tx;

impl SignInTx for Tx<'_> {
    fn memberships(&mut self, identities: &[Identity]) -> StoreResult<Vec<(ResellerId, MemberId)>> {
        let sql = "SELECT reseller_id, member_id FROM membership
             WHERE kind = ?1 AND issuer = ?2 AND name = ?3";
        let mut known = BTreeSet::new();
        for identity in identities {
            let values = (identity.kind(), identity.issuer(), identity.name());
            known.extend(self.unscoped().all(sql, values, sign_in::membership)?);
        }
        Ok(known.into_iter().collect())
    }

    fn magic_link_insert(&mut self, link: &MagicLink) -> StoreResult<()> {
        let values = params![
            link.hash.0,
            link.browser.0,
            link.email.as_str(),
            link.created_at.micros(),
            link.expires_at.micros(),
        ];
        let sql = "INSERT INTO magic_link (hash, browser, email, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5)";
        self.unscoped().execute(sql, values)?;
        Ok(())
    }

    fn magic_links_sent(&mut self, email: &Email, since: Timestamp) -> StoreResult<u64> {
        let sql = "SELECT count(*) FROM magic_link WHERE email = ?1 AND created_at >= ?2";
        let values = (email.as_str(), since.micros());
        let count = self.unscoped().first(sql, values, row::count("magic_link"))?;
        Ok(count.unwrap_or_default())
    }

    fn magic_link_use(
        &mut self,
        hash: &KeyHash,
        browser: &KeyHash,
    ) -> StoreResult<Option<MagicLink>> {
        let sql =
            "UPDATE magic_link SET is_used = 1 WHERE hash = ?1 AND browser = ?2 AND NOT is_used
             RETURNING hash, browser, email, created_at, expires_at";
        // Read to its end: a statement that is left before may not have changed anything yet.
        let mut used = self.unscoped().all(sql, [hash.0, browser.0], sign_in::magic_link)?;
        Ok(used.pop())
    }

    fn session_insert(&mut self, session: &Session) -> StoreResult<()> {
        let person = &session.person;
        let values = params![
            session.id.uuid().into_bytes(),
            person.email.as_ref().map(Email::as_str),
            person.subject.as_ref().map(Subject::issuer),
            person.subject.as_ref().map(Subject::subject),
            session.refresh.0,
            session.previous.map(|hash| hash.0),
            session.refreshed_at.micros(),
            session.created_at.micros(),
            session.expires_at.micros(),
        ];
        let sql = "INSERT INTO sign_in_session (id, email, issuer, subject, refresh, previous,
                 refreshed_at, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        self.unscoped().execute(sql, values)?;
        Ok(())
    }

    fn session(&mut self, id: SessionId) -> StoreResult<Option<Session>> {
        let sql = "SELECT id, email, issuer, subject, refresh, previous, refreshed_at, created_at,
                 expires_at
             FROM sign_in_session WHERE id = ?1";
        self.unscoped().first(sql, [id.uuid().into_bytes()], sign_in::session)
    }

    /// There is one writer at a time.
    fn session_lock(&mut self, id: SessionId) -> StoreResult<Option<Session>> {
        self.session(id)
    }

    fn session_update(&mut self, session: &Session) -> StoreResult<()> {
        let sql = "UPDATE sign_in_session
             SET refresh = ?2, previous = ?3, refreshed_at = ?4, expires_at = ?5 WHERE id = ?1";
        let values = params![
            session.id.uuid().into_bytes(),
            session.refresh.0,
            session.previous.map(|hash| hash.0),
            session.refreshed_at.micros(),
            session.expires_at.micros(),
        ];
        let updated = self.unscoped().execute(sql, values)?;
        super::expect_rows(updated, 1, || format!("session {}", session.id))
    }

    fn session_delete(&mut self, id: SessionId) -> StoreResult<bool> {
        let sql = "DELETE FROM sign_in_session WHERE id = ?1";
        Ok(self.unscoped().execute(sql, [id.uuid().into_bytes()])? > 0)
    }

    fn sign_ins_prune(&mut self, before: Timestamp) -> StoreResult<()> {
        for sql in [
            "DELETE FROM magic_link WHERE expires_at < ?1",
            "DELETE FROM sign_in_session WHERE expires_at < ?1",
        ] {
            self.unscoped().execute(sql, [before.micros()])?;
        }
        Ok(())
    }

    fn signing_keys(&mut self) -> StoreResult<Vec<SigningKey>> {
        let sql = "SELECT id, sealed, created_at FROM signing_key ORDER BY created_at, id";
        self.unscoped().all(sql, [], sign_in::signing_key)
    }

    fn signing_key_insert(&mut self, key: &SigningKey) -> StoreResult<()> {
        let sql = "INSERT INTO signing_key (id, sealed, created_at) VALUES (?1, ?2, ?3)";
        self.unscoped().execute(sql, params![key.id, key.sealed, key.created_at.micros()])?;
        Ok(())
    }

    fn signing_key_delete(&mut self, id: &str) -> StoreResult<bool> {
        Ok(self.unscoped().execute("DELETE FROM signing_key WHERE id = ?1", [id])? > 0)
    }
}
