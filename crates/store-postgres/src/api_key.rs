//! API keys.

use weir_domain::{ApiKeyId, Name};
use weir_store::{ApiKey, ApiKeyReads, ApiKeyWrites, StoreResult};

use crate::row::Columns;
use crate::tx::Tx;

impl ApiKeyReads for Tx<'_> {
    fn api_keys(&mut self) -> StoreResult<Vec<ApiKey>> {
        let reseller = self.reseller()?;
        let sql = "SELECT id, name, sealed, created_at FROM api_key
            WHERE reseller_id = $1 ORDER BY created_at, id";
        let rows = self.rows(sql, &[&reseller])?;
        let keys = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            Ok(ApiKey {
                id: ApiKeyId::from_uuid(columns.take()?),
                name: Name::stored(columns.take()?),
                sealed: columns.take()?,
                created_at: columns.time()?,
            })
        });
        keys.collect()
    }
}

impl ApiKeyWrites for Tx<'_> {
    fn api_key_insert(&mut self, key: &ApiKey) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let sql = "INSERT INTO api_key (reseller_id, id, name, sealed, created_at)
            VALUES ($1, $2, $3, $4, $5)";
        let created_at = key.created_at.micros();
        let name = key.name.as_str();
        self.execute(sql, &[&reseller, &key.id.uuid(), &name, &key.sealed, &created_at])?;
        Ok(())
    }

    fn api_key_delete(&mut self, id: ApiKeyId) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "DELETE FROM api_key WHERE reseller_id = $1 AND id = $2";
        Ok(self.execute(sql, &[&reseller, &id.uuid()])? == 1)
    }
}
