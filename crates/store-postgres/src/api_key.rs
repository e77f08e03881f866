//! API keys.

use weir_domain::{ApiKeyId, Name, Timestamp};
use weir_store::{ApiKey, ApiKeyReads, ApiKeyWrites, StoreResult};

use crate::row::Columns;
use crate::tx::Tx;

impl ApiKeyReads for Tx<'_> {
    fn api_keys(&mut self) -> StoreResult<Vec<ApiKey>> {
        let reseller = self.reseller()?;
        let sql = "SELECT id, name, sealed, created_at, last_used_at FROM api_key
            WHERE reseller_id = $1 ORDER BY created_at, id";
        let rows = self.rows(sql, &[&reseller])?;
        let keys = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            Ok(ApiKey {
                id: ApiKeyId::from_uuid(columns.take()?),
                name: Name::stored(columns.take()?),
                sealed: columns.take()?,
                created_at: columns.time()?,
                last_used_at: columns.time_if_any()?,
            })
        });
        keys.collect()
    }
}

impl ApiKeyWrites for Tx<'_> {
    fn api_key_insert(&mut self, key: &ApiKey) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO api_key (reseller_id, id, name, sealed, created_at, last_used_at)
            VALUES ($1, $2, $3, $4, $5, $6)";
        let (id, name) = (key.id.uuid(), key.name.as_str());
        let (created_at, last_used_at) =
            (key.created_at.micros(), key.last_used_at.map(Timestamp::micros));
        self.execute(sql, &[&reseller, &id, &name, &key.sealed, &created_at, &last_used_at])?;
        Ok(())
    }

    fn api_key_delete(&mut self, id: ApiKeyId) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "DELETE FROM api_key WHERE reseller_id = $1 AND id = $2";
        Ok(self.execute(sql, &[&reseller, &id.uuid()])? == 1)
    }

    fn api_keys_used(&mut self, uses: &[(ApiKeyId, Timestamp)]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let ids: Vec<_> = uses.iter().map(|(id, _)| id.uuid()).collect();
        let times: Vec<_> = uses.iter().map(|(_, used_at)| used_at.micros()).collect();
        // Where another node has just stored a use, the condition is looked at again.
        let sql = "UPDATE api_key SET last_used_at = used.at
            FROM unnest($2::uuid[], $3::bigint[]) AS used (id, at)
            WHERE api_key.reseller_id = $1 AND api_key.id = used.id
                AND (api_key.last_used_at IS NULL OR api_key.last_used_at < used.at)";
        self.execute(sql, &[&reseller, &ids, &times])?;
        Ok(())
    }
}
