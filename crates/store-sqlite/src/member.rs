//! Members.

use rusqlite::params;
use weir_domain::MemberId;
use weir_domain::member::Member;
use weir_domain::person::Identity;
use weir_store::{MemberReads, MemberWrites, StoreResult};

use crate::row::sign_in as row;
use crate::tx::Tx;

/// Members, in the order in which [`row::member`] takes the columns.
macro_rules! select_member {
    ($rest:literal) => {
        concat!("SELECT id, kind, issuer, name, role, created_at FROM gate.member ", $rest)
    };
}

pub(crate) const KNOWN_BY: &str = select_member!("WHERE kind = ?1 AND issuer = ?2 AND name = ?3");

impl MemberReads for Tx<'_> {
    fn members(&mut self) -> StoreResult<Vec<Member>> {
        self.all(select_member!("ORDER BY created_at, id"), [], row::member)
    }

    fn member(&mut self, id: MemberId) -> StoreResult<Option<Member>> {
        self.first(select_member!("WHERE id = ?1"), [id.uuid().into_bytes()], row::member)
    }

    fn member_known_by(&mut self, identity: &Identity) -> StoreResult<Option<Member>> {
        let values = (identity.kind(), identity.issuer(), identity.name());
        self.first(KNOWN_BY, values, row::member)
    }
}

impl MemberWrites for Tx<'_> {
    /// There is one writer at a time.
    fn lock_members(&mut self) -> StoreResult<()> {
        Ok(())
    }

    fn member_insert(&mut self, member: &Member) -> StoreResult<bool> {
        let (identity, id) = (&member.identity, member.id.uuid().into_bytes());
        let inserted = self.execute(
            "INSERT INTO membership (kind, issuer, name, reseller_id, member_id)
             VALUES (?1, ?2, ?3, current_reseller(), ?4)
             ON CONFLICT (kind, issuer, name, reseller_id) DO NOTHING",
            params![identity.kind(), identity.issuer(), identity.name(), id],
        )?;
        if inserted == 0 {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO member (reseller_id, id, kind, issuer, name, role, created_at)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                id,
                identity.kind(),
                identity.issuer(),
                identity.name(),
                member.role.as_str(),
                member.created_at.micros(),
            ],
        )?;
        Ok(true)
    }

    fn member_delete(&mut self, id: MemberId) -> StoreResult<bool> {
        let sql = "DELETE FROM member WHERE reseller_id = current_reseller() AND id = ?1";
        let deleted = self.execute(sql, [id.uuid().into_bytes()])? > 0;
        let sql =
            "DELETE FROM membership WHERE reseller_id = current_reseller() AND member_id = ?1";
        self.execute(sql, [id.uuid().into_bytes()])?;
        Ok(deleted)
    }
}
