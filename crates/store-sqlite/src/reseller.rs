//! The reseller itself.

use rusqlite::params;
use weir_domain::{Name, Reseller};
use weir_store::{ResellerReads, ResellerWrites, StoreResult};

use crate::row;
use crate::tx::Tx;

impl ResellerReads for Tx<'_> {
    fn reseller(&mut self) -> StoreResult<Option<Reseller>> {
        let sql = "SELECT id, name, slug, tier, monthly_quota, timezone, is_closing, created_at
                   FROM gate.reseller";
        let Some(mut reseller) = self.first(sql, [], row::reseller)? else { return Ok(None) };
        let sql = "SELECT name FROM gate.reseller_alias ORDER BY name";
        reseller.aliases = self.all(sql, [], row::alias)?;
        Ok(Some(reseller))
    }
}

impl ResellerWrites for Tx<'_> {
    fn reseller_insert(&mut self, reseller: &Reseller) -> StoreResult<()> {
        self.execute(
            "INSERT INTO reseller
                 (id, name, slug, tier, monthly_quota, timezone, is_closing, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                reseller.id.uuid().into_bytes(),
                reseller.name.as_str(),
                reseller.slug,
                reseller.tier,
                reseller.monthly_quota,
                reseller.timezone,
                reseller.is_closing,
                reseller.created_at.micros(),
            ],
        )?;
        self.aliases_insert(&reseller.aliases)
    }

    fn reseller_update(&mut self, reseller: &Reseller) -> StoreResult<()> {
        let updated = self.execute(
            "UPDATE reseller
             SET name = ?2, slug = ?3, tier = ?4, monthly_quota = ?5, timezone = ?6, is_closing = ?7
             WHERE id = ?1",
            params![
                reseller.id.uuid().into_bytes(),
                reseller.name.as_str(),
                reseller.slug,
                reseller.tier,
                reseller.monthly_quota,
                reseller.timezone,
                reseller.is_closing,
            ],
        )?;
        super::expect_rows(updated, 1, || format!("reseller {}", reseller.id))?;
        self.execute("DELETE FROM reseller_alias WHERE reseller_id = current_reseller()", [])?;
        self.aliases_insert(&reseller.aliases)
    }

    fn reseller_delete(&mut self) -> StoreResult<()> {
        let devices = self.all("SELECT key FROM gate.device", [], row::device_key)?;
        for sql in
            ["DELETE FROM reading_block WHERE device = ?1", "DELETE FROM day WHERE device = ?1"]
        {
            let mut delete = self.statement(sql)?;
            devices.iter().try_for_each(|device| delete.execute([device.0]).map(drop))?;
        }
        // Children before parents. `sighting_tally` is kept by triggers until the sightings are gone.
        for sql in [
            "DELETE FROM ownership WHERE reseller_id = current_reseller()",
            "DELETE FROM device WHERE reseller_id = current_reseller()",
            "DELETE FROM fleet_count WHERE reseller_id = current_reseller()",
            "DELETE FROM eui_claim WHERE reseller_id = current_reseller()",
            "DELETE FROM end_user WHERE reseller_id = current_reseller()",
            "DELETE FROM customer WHERE reseller_id = current_reseller()",
            "DELETE FROM sighting_reading WHERE reseller_id = current_reseller()",
            "DELETE FROM sighting WHERE reseller_id = current_reseller()",
            "DELETE FROM sighting_tally WHERE reseller_id = current_reseller()",
            "DELETE FROM member WHERE reseller_id = current_reseller()",
            "DELETE FROM membership WHERE reseller_id = current_reseller()",
            "DELETE FROM api_key WHERE reseller_id = current_reseller()",
            "DELETE FROM quota_lease WHERE reseller_id = current_reseller()",
            "DELETE FROM quota_usage WHERE reseller_id = current_reseller()",
            "DELETE FROM reseller_alias WHERE reseller_id = current_reseller()",
            "DELETE FROM reseller WHERE id = current_reseller()",
        ] {
            self.execute(sql, [])?;
        }
        Ok(())
    }
}

impl Tx<'_> {
    fn aliases_insert(&self, aliases: &[Name]) -> StoreResult<()> {
        let mut insert = self.statement(
            "INSERT INTO reseller_alias (reseller_id, name) VALUES (current_reseller(), ?1)",
        )?;
        aliases.iter().try_for_each(|alias| insert.execute([alias.as_str()]).map(drop))
    }
}
