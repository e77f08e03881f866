//! What is looked up before the reseller is known.

use rusqlite::params;
use weir_domain::{ApiKeyId, ResellerId, SpoolId};
use weir_store::{KeyHash, Lanes, Positions, StoreResult, SystemTx, WriteTx};

use crate::gate::Binding;
use crate::row::{self, Columns};
use crate::tx::Tx;

impl SystemTx for Tx<'_> {
    fn scoped(&mut self, reseller: ResellerId) -> StoreResult<&mut dyn WriteTx> {
        self.bind(Binding::Reseller(reseller));
        Ok(self)
    }

    fn resellers(&mut self) -> StoreResult<Vec<ResellerId>> {
        self.unscoped().all("SELECT id FROM reseller ORDER BY id", [], row::reseller_id)
    }

    fn api_key_owner(&mut self, hash: &KeyHash) -> StoreResult<Option<(ResellerId, ApiKeyId)>> {
        let sql = "SELECT reseller_id, key_id FROM api_key_hash WHERE hash = ?1";
        self.unscoped().first(sql, [hash.0], row::key_owner)
    }

    fn api_key_publish(
        &mut self,
        hash: &KeyHash,
        reseller: ResellerId,
        key: ApiKeyId,
    ) -> StoreResult<()> {
        let sql = "INSERT INTO api_key_hash (hash, reseller_id, key_id) VALUES (?1, ?2, ?3)";
        let values = params![hash.0, reseller.uuid().into_bytes(), key.uuid().into_bytes()];
        self.unscoped().execute(sql, values)?;
        Ok(())
    }

    fn api_key_withdraw(&mut self, reseller: ResellerId, key: ApiKeyId) -> StoreResult<()> {
        let sql = "DELETE FROM api_key_hash WHERE reseller_id = ?1 AND key_id = ?2";
        let values = [reseller.uuid().into_bytes(), key.uuid().into_bytes()];
        self.unscoped().execute(sql, values)?;
        Ok(())
    }

    fn tenant_name_owner(&mut self, key: &str) -> StoreResult<Option<ResellerId>> {
        let sql = "SELECT reseller_id FROM tenant_name WHERE key = ?1";
        self.unscoped().first(sql, [key], row::reseller_id)
    }

    fn tenant_name_claim(&mut self, key: &str, reseller: ResellerId) -> StoreResult<bool> {
        let sql = "INSERT INTO tenant_name (key, reseller_id) VALUES (?1, ?2)
                   ON CONFLICT DO NOTHING";
        self.unscoped().execute(sql, (key, reseller.uuid().into_bytes()))?;
        Ok(self.tenant_name_owner(key)? == Some(reseller))
    }

    fn tenant_name_release(&mut self, key: &str, reseller: ResellerId) -> StoreResult<()> {
        let sql = "DELETE FROM tenant_name WHERE key = ?1 AND reseller_id = ?2";
        self.unscoped().execute(sql, (key, reseller.uuid().into_bytes()))?;
        Ok(())
    }

    fn spool_positions(&mut self, spool: SpoolId) -> StoreResult<Positions> {
        let sql = "SELECT lane, sequence FROM lane_position WHERE spool_id = ?1";
        let positions = self.unscoped().all(sql, [spool.uuid().into_bytes()], |row| {
            let mut columns = Columns::of("lane_position", row);
            Ok((columns.take::<u8>()?, columns.take::<i64>()?.cast_unsigned()))
        })?;
        Ok(Positions::stored(positions))
    }

    fn spool_position_store(
        &mut self,
        spool: SpoolId,
        lanes: &Lanes,
        sequence: u64,
    ) -> StoreResult<()> {
        let mut store = self.unscoped().statement(
            "INSERT INTO lane_position (spool_id, lane, sequence) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET sequence = max(sequence, excluded.sequence)",
        )?;
        lanes.each().try_for_each(|lane| {
            store
                .execute((spool.uuid().into_bytes(), lane.number(), sequence.cast_signed()))
                .map(drop)
        })
    }

    fn spool_forget(&mut self, spool: SpoolId) -> StoreResult<()> {
        for sql in [
            "DELETE FROM lane_position WHERE spool_id = ?1",
            "DELETE FROM quota_lease WHERE spool_id = ?1",
        ] {
            self.unscoped().execute(sql, [spool.uuid().into_bytes()])?;
        }
        Ok(())
    }

    fn secret_keep(&mut self, secret: &[u8]) -> StoreResult<Vec<u8>> {
        let sql = "INSERT INTO server_secret (only, secret) VALUES (1, ?1) ON CONFLICT DO NOTHING";
        self.unscoped().execute(sql, [secret])?;
        let kept = self.first("SELECT secret FROM server_secret", [], |row| {
            Columns::of("server_secret", row).take()
        })?;
        Ok(kept.unwrap_or_else(|| secret.to_vec()))
    }
}

impl Tx<'_> {
    /// The transaction, bound to no reseller any more.
    pub(crate) fn unscoped(&self) -> &Self {
        self.bind(Binding::System);
        self
    }
}
