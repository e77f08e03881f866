//! What is looked up before the reseller is known.

use rusqlite::params;
use weir_domain::{ApiKeyId, ResellerId, SpoolId};
use weir_store::{KeyHash, StoreResult, SystemTx, WriteTx};

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

    fn spool_position(&mut self, spool: SpoolId) -> StoreResult<u64> {
        let sql = "SELECT sequence FROM spool_position WHERE spool_id = ?1";
        let values = [spool.uuid().into_bytes()];
        let position = self.unscoped().first(sql, values, row::number("spool_position"))?;
        Ok(position.unwrap_or_default().cast_unsigned())
    }

    fn spool_position_store(&mut self, spool: SpoolId, sequence: u64) -> StoreResult<()> {
        let sql = "INSERT INTO spool_position (spool_id, sequence) VALUES (?1, ?2)
                   ON CONFLICT DO UPDATE SET sequence = excluded.sequence";
        self.unscoped().execute(sql, (spool.uuid().into_bytes(), sequence.cast_signed()))?;
        Ok(())
    }

    fn spool_forget(&mut self, spool: SpoolId) -> StoreResult<()> {
        for sql in [
            "DELETE FROM spool_position WHERE spool_id = ?1",
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
