//! Rows of members and of signing in.

use rusqlite::Row;
use weir_domain::member::{Member, Role};
use weir_domain::person::{Email, Identity, Person, Subject};
use weir_domain::{MemberId, ResellerId, SessionId};
use weir_store::{KeyHash, MagicLink, Session, SigningKey, StoreResult};

use super::Columns;

impl Columns<'_> {
    fn take_identity(&mut self) -> StoreResult<Identity> {
        let (kind, issuer): (String, String) = (self.take()?, self.take()?);
        let name: String = self.take()?;
        Identity::stored(&kind, &issuer, &name)
            .map_err(|error| self.corrupt(format!("identity {error}")))
    }

    fn take_role(&mut self) -> StoreResult<Role> {
        let word: String = self.take()?;
        Role::parse(&word).map_err(|error| self.corrupt(format!("role {word:?} {error}")))
    }

    fn take_email(&mut self) -> StoreResult<Email> {
        let text: String = self.take()?;
        Email::parse(&text).map_err(|error| self.corrupt(format!("email {error}")))
    }

    fn take_person(&mut self) -> StoreResult<Person> {
        let email = self.take::<Option<String>>()?.map(|text| Email::parse(&text)).transpose();
        let parts = self.take::<Option<String>>()?.zip(self.take::<Option<String>>()?);
        let subject = parts.map(|(issuer, subject)| Subject::new(&issuer, &subject)).transpose();
        Ok(Person {
            email: email.map_err(|error| self.corrupt(format!("email {error}")))?,
            subject: subject.map_err(|error| self.corrupt(format!("subject {error}")))?,
        })
    }
}

/// `id, kind, issuer, name, role, created_at`.
pub(crate) fn member(row: &Row<'_>) -> StoreResult<Member> {
    let mut columns = Columns::of("member", row);
    Ok(Member {
        id: columns.take_uuid(MemberId::from_uuid)?,
        identity: columns.take_identity()?,
        role: columns.take_role()?,
        created_at: columns.take_time()?,
    })
}

/// `reseller_id, member_id`.
pub(crate) fn membership(row: &Row<'_>) -> StoreResult<(ResellerId, MemberId)> {
    let mut columns = Columns::of("membership", row);
    Ok((columns.take_uuid(ResellerId::from_uuid)?, columns.take_uuid(MemberId::from_uuid)?))
}

/// `hash, browser, email, created_at, expires_at`.
pub(crate) fn magic_link(row: &Row<'_>) -> StoreResult<MagicLink> {
    let mut columns = Columns::of("magic_link", row);
    Ok(MagicLink {
        hash: KeyHash(columns.take()?),
        browser: KeyHash(columns.take()?),
        email: columns.take_email()?,
        created_at: columns.take_time()?,
        expires_at: columns.take_time()?,
    })
}

/// `id, email, issuer, subject, refresh, previous, refreshed_at, created_at, expires_at`.
pub(crate) fn session(row: &Row<'_>) -> StoreResult<Session> {
    let mut columns = Columns::of("sign_in_session", row);
    Ok(Session {
        id: columns.take_uuid(SessionId::from_uuid)?,
        person: columns.take_person()?,
        refresh: KeyHash(columns.take()?),
        previous: columns.take::<Option<_>>()?.map(KeyHash),
        refreshed_at: columns.take_time()?,
        created_at: columns.take_time()?,
        expires_at: columns.take_time()?,
    })
}

/// `id, sealed, created_at`.
pub(crate) fn signing_key(row: &Row<'_>) -> StoreResult<SigningKey> {
    let mut columns = Columns::of("signing_key", row);
    Ok(SigningKey {
        id: columns.take()?,
        sealed: columns.take()?,
        created_at: columns.take_time()?,
    })
}
