//! API keys.

use rusqlite::params;
use weir_domain::{ApiKeyId, Timestamp};
use weir_store::{ApiKey, ApiKeyReads, ApiKeyWrites, StoreResult};

use crate::row;
use crate::tx::Tx;

impl ApiKeyReads for Tx<'_> {
    fn api_keys(&mut self) -> StoreResult<Vec<ApiKey>> {
        let sql = "SELECT id, name, sealed, created_at, last_used_at FROM gate.api_key
             ORDER BY created_at, id";
        self.all(sql, [], row::api_key)
    }
}

impl ApiKeyWrites for Tx<'_> {
    fn api_key_insert(&mut self, key: &ApiKey) -> StoreResult<()> {
        self.execute(
            "INSERT INTO api_key (reseller_id, id, name, sealed, created_at, last_used_at)
             VALUES (current_reseller(), ?1, ?2, ?3, ?4, ?5)",
            params![
                key.id.uuid().into_bytes(),
                key.name.as_str(),
                key.sealed,
                key.created_at.micros(),
                key.last_used_at.map(Timestamp::micros),
            ],
        )?;
        Ok(())
    }

    fn api_key_delete(&mut self, id: ApiKeyId) -> StoreResult<bool> {
        let sql = "DELETE FROM api_key WHERE reseller_id = current_reseller() AND id = ?1";
        Ok(self.execute(sql, [id.uuid().into_bytes()])? > 0)
    }

    /// There is one writer at a time, so what was read before is still so.
    fn api_keys_used(&mut self, uses: &[(ApiKeyId, Timestamp)]) -> StoreResult<()> {
        for (id, used_at) in uses {
            let id = id.uuid().into_bytes();
            let sql = "SELECT last_used_at FROM gate.api_key WHERE id = ?1";
            let known = self.first(sql, [id], row::time("api_key"))?;
            if known.is_some_and(|known| known < Some(*used_at)) {
                let sql = "UPDATE api_key SET last_used_at = ?2
                     WHERE reseller_id = current_reseller() AND id = ?1";
                self.execute(sql, (id, used_at.micros()))?;
            }
        }
        Ok(())
    }
}
