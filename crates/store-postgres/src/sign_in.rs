//! Signing in: memberships, links, sessions and signing keys.

use weir_domain::person::{Email, Identity, Subject};
use weir_domain::{MemberId, ResellerId, SessionId, Timestamp};
use weir_store::{KeyHash, MagicLink, Session, SignInTx, SigningKey, StoreResult};

use crate::row::{self, sign_in};
use crate::tx::Tx;

/// Sessions, in the order of columns that [`sign_in::session`] reads.
macro_rules! select_session {
    ($rest:literal) => {
        concat!(
            "SELECT id, email, issuer, subject, refresh, previous, refreshed_at, created_at,
                expires_at
            FROM sign_in_session WHERE id = $1 ",
            $rest
        )
    };
}

impl SignInTx for Tx<'_> {
    fn memberships(&mut self, identities: &[Identity]) -> StoreResult<Vec<(ResellerId, MemberId)>> {
        let kinds: Vec<_> = identities.iter().map(Identity::kind).collect();
        let issuers: Vec<_> = identities.iter().map(Identity::issuer).collect();
        let names: Vec<_> = identities.iter().map(Identity::name).collect();
        let sql = "SELECT reseller_id, member_id FROM memberships_of($1, $2, $3)
            ORDER BY reseller_id, member_id";
        let rows = self.rows(sql, &[&kinds, &issuers, &names])?;
        rows.iter().map(sign_in::membership).collect()
    }

    fn magic_link_insert(&mut self, link: &MagicLink) -> StoreResult<()> {
        let sql = "INSERT INTO magic_link (hash, browser, email, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5)";
        self.execute(
            sql,
            &[
                &link.hash.0.as_slice(),
                &link.browser.0.as_slice(),
                &link.email.as_str(),
                &link.created_at.micros(),
                &link.expires_at.micros(),
            ],
        )?;
        Ok(())
    }

    fn magic_links_sent(&mut self, email: &Email, since: Timestamp) -> StoreResult<u64> {
        let sql = "SELECT count(*) FROM magic_link WHERE email = $1 AND created_at >= $2";
        row::count(self.row(sql, &[&email.as_str(), &since.micros()])?.as_ref())
    }

    fn magic_link_use(
        &mut self,
        hash: &KeyHash,
        browser: &KeyHash,
    ) -> StoreResult<Option<MagicLink>> {
        // Whoever comes second waits for the first, and then finds the link used.
        let sql = "UPDATE magic_link SET is_used = true
            WHERE hash = $1 AND browser = $2 AND NOT is_used
            RETURNING hash, browser, email, created_at, expires_at";
        let used = self.row(sql, &[&hash.0.as_slice(), &browser.0.as_slice()])?;
        used.as_ref().map(sign_in::magic_link).transpose()
    }

    fn session_insert(&mut self, session: &Session) -> StoreResult<()> {
        let person = &session.person;
        let sql = "INSERT INTO sign_in_session (id, email, issuer, subject, refresh, previous,
                refreshed_at, created_at, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        self.execute(
            sql,
            &[
                &session.id.uuid(),
                &person.email.as_ref().map(Email::as_str),
                &person.subject.as_ref().map(Subject::issuer),
                &person.subject.as_ref().map(Subject::subject),
                &session.refresh.0.as_slice(),
                &session.previous.as_ref().map(|hash| hash.0.as_slice()),
                &session.refreshed_at.micros(),
                &session.created_at.micros(),
                &session.expires_at.micros(),
            ],
        )?;
        Ok(())
    }

    fn session(&mut self, id: SessionId) -> StoreResult<Option<Session>> {
        let found = self.row(select_session!(""), &[&id.uuid()])?;
        found.as_ref().map(sign_in::session).transpose()
    }

    fn session_lock(&mut self, id: SessionId) -> StoreResult<Option<Session>> {
        let found = self.row(select_session!("FOR UPDATE"), &[&id.uuid()])?;
        found.as_ref().map(sign_in::session).transpose()
    }

    fn session_update(&mut self, session: &Session) -> StoreResult<()> {
        let sql = "UPDATE sign_in_session
            SET refresh = $2, previous = $3, refreshed_at = $4, expires_at = $5 WHERE id = $1";
        let updated = self.execute(
            sql,
            &[
                &session.id.uuid(),
                &session.refresh.0.as_slice(),
                &session.previous.as_ref().map(|hash| hash.0.as_slice()),
                &session.refreshed_at.micros(),
                &session.expires_at.micros(),
            ],
        )?;
        crate::expect_rows(updated, 1, "sessions")
    }

    fn session_delete(&mut self, id: SessionId) -> StoreResult<bool> {
        let sql = "DELETE FROM sign_in_session WHERE id = $1";
        Ok(self.execute(sql, &[&id.uuid()])? == 1)
    }

    fn sign_ins_prune(&mut self, before: Timestamp) -> StoreResult<()> {
        for sql in [
            "DELETE FROM magic_link WHERE expires_at < $1",
            "DELETE FROM sign_in_session WHERE expires_at < $1",
        ] {
            self.execute(sql, &[&before.micros()])?;
        }
        Ok(())
    }

    fn signing_keys(&mut self) -> StoreResult<Vec<SigningKey>> {
        let sql = "SELECT id, sealed, created_at FROM signing_key
            ORDER BY created_at, id COLLATE \"C\"";
        self.rows(sql, &[])?.iter().map(sign_in::signing_key).collect()
    }

    fn signing_key_insert(&mut self, key: &SigningKey) -> StoreResult<()> {
        let sql = "INSERT INTO signing_key (id, sealed, created_at) VALUES ($1, $2, $3)";
        self.execute(sql, &[&key.id, &key.sealed, &key.created_at.micros()])?;
        Ok(())
    }

    fn signing_key_delete(&mut self, id: &str) -> StoreResult<bool> {
        Ok(self.execute("DELETE FROM signing_key WHERE id = $1", &[&id])? == 1)
    }
}
