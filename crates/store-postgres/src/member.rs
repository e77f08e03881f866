//! Members.

use weir_domain::MemberId;
use weir_domain::member::Member;
use weir_domain::person::Identity;
use weir_store::{MemberReads, MemberWrites, StoreResult};

use crate::row::sign_in as row;
use crate::tx::Tx;

/// Members, in the order of columns that [`row::member`] reads.
macro_rules! select_members {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, issuer, name, role, created_at FROM member WHERE reseller_id = $1 ",
            $rest
        )
    };
}

impl MemberReads for Tx<'_> {
    fn members(&mut self) -> StoreResult<Vec<Member>> {
        let reseller = self.reseller()?;
        let rows = self.rows(select_members!("ORDER BY created_at, id"), &[&reseller])?;
        rows.iter().map(row::member).collect()
    }

    fn member(&mut self, id: MemberId) -> StoreResult<Option<Member>> {
        let reseller = self.reseller()?;
        let found = self.row(select_members!("AND id = $2"), &[&reseller, &id.uuid()])?;
        found.as_ref().map(row::member).transpose()
    }

    fn member_known_by(&mut self, identity: &Identity) -> StoreResult<Option<Member>> {
        let reseller = self.reseller()?;
        let sql = select_members!("AND kind = $2 AND issuer = $3 AND name = $4");
        let (kind, issuer, name) = (identity.kind(), identity.issuer(), identity.name());
        let found = self.row(sql, &[&reseller, &kind, &issuer, &name])?;
        found.as_ref().map(row::member).transpose()
    }
}

impl MemberWrites for Tx<'_> {
    fn lock_members(&mut self) -> StoreResult<()> {
        // Weak enough for rows that refer to the reseller to be added meanwhile.
        let reseller = self.reseller()?;
        self.row("SELECT 1 FROM reseller WHERE id = $1 FOR NO KEY UPDATE", &[&reseller])?;
        Ok(())
    }

    fn member_insert(&mut self, member: &Member) -> StoreResult<bool> {
        let (reseller, id) = (self.reseller()?, member.id.uuid());
        let identity = &member.identity;
        let (kind, issuer, name) = (identity.kind(), identity.issuer(), identity.name());
        let sql = "INSERT INTO membership (kind, issuer, name, reseller_id, member_id)
            SELECT $2, $3, $4, $1, id FROM unnest(ARRAY[$5::uuid]) AS id ON CONFLICT DO NOTHING";
        if self.execute(sql, &[&reseller, &kind, &issuer, &name, &id])? == 0 {
            return Ok(false);
        }
        let sql = "INSERT INTO member (reseller_id, id, kind, issuer, name, role, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let (role, created_at) = (member.role.as_str(), member.created_at.micros());
        self.execute(sql, &[&reseller, &id, &kind, &issuer, &name, &role, &created_at])?;
        Ok(true)
    }

    fn member_delete(&mut self, id: MemberId) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "DELETE FROM member WHERE reseller_id = $1 AND id = $2";
        let deleted = self.execute(sql, &[&reseller, &id.uuid()])? == 1;
        let sql = "DELETE FROM membership WHERE reseller_id = $1 AND member_id = $2";
        self.execute(sql, &[&reseller, &id.uuid()])?;
        Ok(deleted)
    }
}
