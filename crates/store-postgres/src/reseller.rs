//! The reseller itself.

use weir_domain::{Name, Reseller, ResellerId};
use weir_store::{DeviceWrites, ResellerReads, ResellerWrites, StoreError, StoreResult};

use crate::row::Columns;
use crate::tx::Tx;

/// How many devices' readings or days one statement deletes, so that none runs into its time limit.
const DEVICES_AT_ONCE: usize = 50;

impl ResellerReads for Tx<'_> {
    fn reseller(&mut self) -> StoreResult<Option<Reseller>> {
        let id = Tx::reseller(self)?;
        if self.is_deciding {
            // What is decided upon here must still be so when it is applied.
            self.lock_device_tree()?;
        }
        let sql = "SELECT name, slug, tier, monthly_quota, timezone, is_closing, created_at, ARRAY(
                SELECT a.name FROM reseller_alias a WHERE a.reseller_id = $1
                ORDER BY a.name COLLATE \"C\"
            ) FROM reseller WHERE id = $1";
        let Some(row) = self.row(sql, &[&id])? else { return Ok(None) };
        let mut columns = Columns::of(&row);
        Ok(Some(Reseller {
            id: ResellerId::from_uuid(id),
            name: Name::stored(columns.take()?),
            slug: columns.take()?,
            tier: columns.take()?,
            monthly_quota: columns.take()?,
            timezone: columns.take()?,
            is_closing: columns.take()?,
            created_at: columns.time()?,
            aliases: columns.take::<Vec<String>>()?.into_iter().map(Name::stored).collect(),
        }))
    }
}

impl ResellerWrites for Tx<'_> {
    fn reseller_insert(&mut self, reseller: &Reseller) -> StoreResult<()> {
        let sql = "INSERT INTO reseller
                (id, name, slug, tier, monthly_quota, timezone, is_closing, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        self.execute(
            sql,
            &[
                &reseller.id.uuid(),
                &reseller.name.as_str(),
                &reseller.slug,
                &reseller.tier,
                &reseller.monthly_quota,
                &reseller.timezone,
                &reseller.is_closing,
                &reseller.created_at.micros(),
            ],
        )?;
        self.aliases_insert(&reseller.aliases)
    }

    fn reseller_update(&mut self, reseller: &Reseller) -> StoreResult<()> {
        let sql = "UPDATE reseller SET name = $2, slug = $3, tier = $4, monthly_quota = $5,
                timezone = $6, is_closing = $7
            WHERE id = $1";
        let updated = self.execute(
            sql,
            &[
                &reseller.id.uuid(),
                &reseller.name.as_str(),
                &reseller.slug,
                &reseller.tier,
                &reseller.monthly_quota,
                &reseller.timezone,
                &reseller.is_closing,
            ],
        )?;
        if updated != 1 {
            return Err(StoreError::Refused(format!("there is no reseller {}", reseller.id)));
        }
        let id = Tx::reseller(self)?;
        self.execute("DELETE FROM reseller_alias WHERE reseller_id = $1", &[&id])?;
        self.aliases_insert(&reseller.aliases)
    }

    fn reseller_delete(&mut self) -> StoreResult<()> {
        let id = Tx::reseller(self)?;
        // Nobody adds to what is being deleted: new rows refer to the reseller, readings to devices.
        self.rows("SELECT 1 FROM reseller WHERE id = $1 FOR UPDATE", &[&id])?;
        self.measurements_delete()?;
        self.fleet.forget();
        for sql in [
            "DELETE FROM sighting_reading WHERE reseller_id = $1",
            "DELETE FROM sighting WHERE reseller_id = $1",
            "DELETE FROM ownership WHERE reseller_id = $1",
            "DELETE FROM device WHERE reseller_id = $1",
            "DELETE FROM fleet_count WHERE reseller_id = $1",
            "DELETE FROM eui_claim WHERE reseller_id = $1",
            "DELETE FROM end_user WHERE reseller_id = $1",
            "DELETE FROM customer WHERE reseller_id = $1",
            "DELETE FROM member WHERE reseller_id = $1",
            "DELETE FROM membership WHERE reseller_id = $1",
            "DELETE FROM api_key WHERE reseller_id = $1",
            "DELETE FROM quota_lease WHERE reseller_id = $1",
            "DELETE FROM quota_usage WHERE reseller_id = $1",
            "DELETE FROM reseller_alias WHERE reseller_id = $1",
            "DELETE FROM reseller WHERE id = $1",
        ] {
            self.execute(sql, &[&id])?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    fn aliases_insert(&mut self, aliases: &[Name]) -> StoreResult<()> {
        let id = Tx::reseller(self)?;
        let names: Vec<&str> = aliases.iter().map(Name::as_str).collect();
        let sql = "INSERT INTO reseller_alias (reseller_id, name)
            SELECT $1, name FROM unnest($2::text[]) AS name";
        self.execute(sql, &[&id, &names])?;
        Ok(())
    }

    fn measurements_delete(&mut self) -> StoreResult<()> {
        let id = Tx::reseller(self)?;
        let sql = "SELECT key FROM device WHERE reseller_id = $1 ORDER BY key FOR UPDATE";
        let rows = self.rows(sql, &[&id])?;
        let keys = rows.iter().map(|row| Columns::of(row).take());
        let keys: Vec<i64> = keys.collect::<StoreResult<_>>()?;
        for some in keys.chunks(DEVICES_AT_ONCE) {
            for sql in [
                "DELETE FROM reading_block WHERE reseller_id = $1 AND device = ANY($2)",
                "DELETE FROM day WHERE reseller_id = $1 AND device = ANY($2)",
            ] {
                self.execute(sql, &[&id, &some])?;
            }
        }
        Ok(())
    }
}
