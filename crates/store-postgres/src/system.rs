//! What is looked up before the reseller is known.

use weir_domain::{ApiKeyId, ResellerId, SpoolId};
use weir_store::{KeyHash, Lanes, Positions, StoreError, StoreResult, SystemTx, WriteTx};

use crate::row::Columns;
use crate::tx::Tx;

impl SystemTx for Tx<'_> {
    fn scoped(&mut self, reseller: ResellerId) -> StoreResult<&mut dyn WriteTx> {
        self.bind(reseller)?;
        Ok(self)
    }

    fn resellers(&mut self) -> StoreResult<Vec<ResellerId>> {
        self.reseller_ids("SELECT id FROM reseller_ids() AS id ORDER BY id", &[])
    }

    fn api_key_owner(&mut self, hash: &KeyHash) -> StoreResult<Option<(ResellerId, ApiKeyId)>> {
        let sql = "SELECT reseller_id, key_id FROM api_key_hash WHERE hash = $1";
        let Some(row) = self.row(sql, &[&hash.0.as_slice()])? else { return Ok(None) };
        let mut columns = Columns::of(&row);
        let reseller = ResellerId::from_uuid(columns.take()?);
        Ok(Some((reseller, ApiKeyId::from_uuid(columns.take()?))))
    }

    fn api_key_publish(
        &mut self,
        hash: &KeyHash,
        reseller: ResellerId,
        key: ApiKeyId,
    ) -> StoreResult<()> {
        let sql = "INSERT INTO api_key_hash (hash, reseller_id, key_id) VALUES ($1, $2, $3)";
        self.execute(sql, &[&hash.0.as_slice(), &reseller.uuid(), &key.uuid()])?;
        Ok(())
    }

    fn api_key_withdraw(&mut self, reseller: ResellerId, key: ApiKeyId) -> StoreResult<()> {
        let sql = "DELETE FROM api_key_hash WHERE reseller_id = $1 AND key_id = $2";
        self.execute(sql, &[&reseller.uuid(), &key.uuid()])?;
        Ok(())
    }

    fn tenant_name_owner(&mut self, key: &str) -> StoreResult<Option<ResellerId>> {
        // PostgreSQL's text cannot hold this character, so nobody's name does.
        if key.contains('\0') {
            return Ok(None);
        }
        let sql = "SELECT reseller_id FROM tenant_name WHERE key = $1";
        Ok(self.reseller_ids(sql, &[&key])?.first().copied())
    }

    fn tenant_name_claim(&mut self, key: &str, reseller: ResellerId) -> StoreResult<bool> {
        let sql = "INSERT INTO tenant_name (key, reseller_id)
            SELECT key, $2 FROM unnest(ARRAY[$1::text]) AS key ON CONFLICT DO NOTHING";
        let claimed = self.execute(sql, &[&key, &reseller.uuid()])? == 1;
        Ok(claimed || self.tenant_name_owner(key)? == Some(reseller))
    }

    fn tenant_name_release(&mut self, key: &str, reseller: ResellerId) -> StoreResult<()> {
        let sql = "DELETE FROM tenant_name WHERE key = $1 AND reseller_id = $2";
        self.execute(sql, &[&key, &reseller.uuid()])?;
        Ok(())
    }

    fn spool_positions(&mut self, spool: SpoolId) -> StoreResult<Positions> {
        // The first lane's row is what settlers of one spool wait for.
        let sql = "INSERT INTO lane_position (spool_id, lane, sequence)
            SELECT spool, 0, 0 FROM unnest(ARRAY[$1::uuid]) AS spool ON CONFLICT DO NOTHING";
        self.execute(sql, &[&spool.uuid()])?;
        let sql = "SELECT sequence FROM lane_position WHERE spool_id = $1 AND lane = 0 FOR UPDATE";
        // Forgotten between the two statements: whoever forgot it was first, so begin again.
        self.row(sql, &[&spool.uuid()])?.ok_or(StoreError::Contended)?;
        let sql = "SELECT lane, sequence FROM lane_position WHERE spool_id = $1";
        let positions = self.rows(sql, &[&spool.uuid()])?;
        let positions = positions.iter().map(|row| {
            let mut columns = Columns::of(row);
            Ok((columns.take::<i16>()? as u8, columns.take::<i64>()?.unsigned_abs()))
        });
        Ok(Positions::stored(positions.collect::<StoreResult<Vec<_>>>()?))
    }

    fn spool_position_store(
        &mut self,
        spool: SpoolId,
        lanes: &Lanes,
        sequence: u64,
    ) -> StoreResult<()> {
        let sequence = i64::try_from(sequence)
            .map_err(|_| StoreError::Refused("a spool's sequence is too large".into()))?;
        let lanes: Vec<i16> = lanes.each().map(|lane| i16::from(lane.number())).collect();
        let sql = "INSERT INTO lane_position (spool_id, lane, sequence)
            SELECT $1, lane, $3 FROM unnest($2::smallint[]) AS lane
            ON CONFLICT (spool_id, lane)
            DO UPDATE SET sequence = greatest(lane_position.sequence, excluded.sequence)";
        self.execute(sql, &[&spool.uuid(), &lanes, &sequence])?;
        Ok(())
    }

    fn spool_forget(&mut self, spool: SpoolId) -> StoreResult<()> {
        let sql = "SELECT DISTINCT reseller_id FROM quota_lease WHERE spool_id = $1
            ORDER BY reseller_id";
        for reseller in self.reseller_ids(sql, &[&spool.uuid()])? {
            self.scoped(reseller)?.quota_leases_end(spool)?;
        }
        self.execute("DELETE FROM lane_position WHERE spool_id = $1", &[&spool.uuid()])?;
        Ok(())
    }

    fn secret_keep(&mut self, secret: &[u8]) -> StoreResult<Vec<u8>> {
        let sql = "INSERT INTO server_secret (secret)
            SELECT secret FROM unnest(ARRAY[$1::bytea]) AS secret ON CONFLICT DO NOTHING";
        self.execute(sql, &[&secret])?;
        let kept = self.row("SELECT secret FROM server_secret", &[])?;
        let missing = || StoreError::Broken("the server's secret was not kept".into());
        kept.map(|row| Columns::of(&row).take()).ok_or_else(missing)?
    }
}

impl Tx<'_> {
    fn reseller_ids(
        &mut self,
        sql: &'static str,
        params: crate::session::Params<'_>,
    ) -> StoreResult<Vec<ResellerId>> {
        let rows = self.rows(sql, params)?;
        rows.iter().map(|row| Columns::of(row).take().map(ResellerId::from_uuid)).collect()
    }
}
