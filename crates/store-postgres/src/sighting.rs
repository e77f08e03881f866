//! Sightings of EUIs that the reseller has not registered.

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{Eui, Reading};
use weir_store::{Page, Sighting, SightingReading, SightingReads, SightingWrites, StoreResult};

use crate::row::{self, Telemetries, eui_bits, telemetry_columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many sightings, or readings of them, one statement adds.
const AT_ONCE: usize = 2_000;

impl SightingReads for Tx<'_> {
    fn sightings_page(&mut self, page: Page) -> StoreResult<Vec<Sighting>> {
        let reseller = self.reseller()?;
        let sql = concat!(
            "SELECT dev_eui, ",
            telemetry_columns!(),
            " FROM sighting WHERE reseller_id = $1 \
             ORDER BY last_seen_at DESC NULLS LAST, (eui < 0), eui LIMIT $2 OFFSET $3"
        );
        let rows = self.rows(sql, &[&reseller, &i64::from(page.limit), &crate::offset(page)])?;
        rows.iter().map(row::sighting).collect()
    }

    fn sightings_count(&mut self) -> StoreResult<u64> {
        let reseller = self.reseller()?;
        let sql = "SELECT count(*) FROM sighting WHERE reseller_id = $1";
        row::count(self.row(sql, &[&reseller])?.as_ref())
    }
}

impl SightingWrites for Tx<'_> {
    fn sightings_by_euis(&mut self, euis: &[Eui]) -> StoreResult<Vec<Sighting>> {
        self.lock_sightings()?;
        let reseller = self.reseller()?;
        let euis: Vec<i64> = euis.iter().map(eui_bits).collect();
        let sql = concat!(
            "SELECT dev_eui, ",
            telemetry_columns!(),
            " FROM sighting WHERE reseller_id = $1 AND eui = ANY($2)"
        );
        let rows = self.rows(sql, &[&reseller, &euis])?;
        rows.iter().map(row::sighting).collect()
    }

    fn sightings_store(&mut self, sightings: &[Sighting]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = sightings.chunks(AT_ONCE).map(SightingColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(Vec::as_slice).collect();
        let sql = concat!(
            "INSERT INTO sighting (reseller_id, eui, dev_eui, ",
            telemetry_columns!(),
            ") SELECT $1, s.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::int[], \
                 $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], \
                 $11::float8[], $12::float8[], $13::float8[]) AS s \
             ON CONFLICT (reseller_id, eui) DO UPDATE SET dev_eui = excluded.dev_eui, \
                 device_name = excluded.device_name, battery_uv = excluded.battery_uv, \
                 last_reading_at = excluded.last_reading_at, \
                 newest_reading_at = excluded.newest_reading_at, \
                 first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at, \
                 message_count = excluded.message_count, latitude = excluded.latitude, \
                 longitude = excluded.longitude, altitude = excluded.altitude"
        );
        self.execute_each(sql, &params)?;
        Ok(())
    }

    fn sighting_readings_append(&mut self, readings: &[SightingReading]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = readings.chunks(AT_ONCE).map(ReadingColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 6]>::as_slice).collect();
        let sql = "INSERT INTO sighting_reading
                (reseller_id, eui, ts, volume, battery_uv, received_at)
            SELECT $1, r.* FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::int[],
                $6::bigint[]) AS r
            ON CONFLICT DO NOTHING";
        self.execute_each(sql, &params)?;
        Ok(())
    }

    fn sighting_take(&mut self, eui: Eui) -> StoreResult<Option<(Sighting, Vec<Reading>)>> {
        self.lock_sightings()?;
        let reseller = self.reseller()?;
        let sql = "DELETE FROM sighting_reading WHERE reseller_id = $1 AND eui = $2
            RETURNING ts, volume, battery_uv";
        let rows = self.rows(sql, &[&reseller, &eui_bits(&eui)])?;
        let mut readings: Vec<_> = rows.iter().map(row::reading).collect::<StoreResult<_>>()?;
        readings.sort_by_key(|reading| (reading.time, reading.volume));
        let sql = concat!(
            "DELETE FROM sighting WHERE reseller_id = $1 AND eui = $2 RETURNING dev_eui, ",
            telemetry_columns!()
        );
        let taken = self.row(sql, &[&reseller, &eui_bits(&eui)])?;
        taken.map(|row| Ok((row::sighting(&row)?, readings))).transpose()
    }

    fn sightings_evict(&mut self, euis: u64, readings: u64) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let kept = |count| i64::try_from(count).unwrap_or(i64::MAX);
        // Their readings go with them.
        let sql = "DELETE FROM sighting WHERE reseller_id = $1 AND eui IN (
                SELECT eui FROM sighting WHERE reseller_id = $1
                ORDER BY last_seen_at DESC NULLS LAST, (eui < 0), eui OFFSET $2)";
        self.execute(sql, &[&reseller, &kept(euis)])?;
        let sql = "DELETE FROM sighting_reading r USING (
                SELECT eui, ts, volume FROM sighting_reading WHERE reseller_id = $1
                ORDER BY received_at DESC, eui, ts, volume OFFSET $2) AS old
            WHERE r.reseller_id = $1 AND r.eui = old.eui AND r.ts = old.ts AND r.volume = old.volume";
        self.execute(sql, &[&reseller, &kept(readings)])?;
        Ok(())
    }
}

impl Tx<'_> {
    /// Two nodes may hear a new EUI at the same moment, when there is no row to lock yet: whoever
    /// works on a reseller's sightings does so alone.
    fn lock_sightings(&mut self) -> StoreResult<()> {
        let reseller = self.reseller()?;
        // A lock that two resellers happen to share costs a wait and nothing else.
        let (high, low) = reseller.as_u64_pair();
        self.rows("SELECT pg_advisory_xact_lock($1)", &[&(high ^ low).cast_signed()])?;
        Ok(())
    }
}

struct SightingColumns<'a> {
    euis: Vec<i64>,
    written: Vec<&'a str>,
    telemetries: Telemetries<'a>,
}

impl<'a> SightingColumns<'a> {
    fn of(sightings: &'a [Sighting]) -> Self {
        Self {
            euis: sightings.iter().map(|sighting| eui_bits(&sighting.dev_eui)).collect(),
            written: sightings.iter().map(|sighting| sighting.dev_eui.as_str()).collect(),
            telemetries: Telemetries::of(sightings.iter().map(|sighting| &sighting.telemetry)),
        }
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> Vec<&'p (dyn ToSql + Sync)> {
        let mut params: Vec<&(dyn ToSql + Sync)> = vec![reseller, &self.euis, &self.written];
        params.extend(self.telemetries.params());
        params
    }
}

struct ReadingColumns {
    euis: Vec<i64>,
    times: Vec<i64>,
    volumes: Vec<i64>,
    batteries: Vec<Option<i32>>,
    receipts: Vec<i64>,
}

impl ReadingColumns {
    fn of(all: &[SightingReading]) -> Self {
        Self {
            euis: all.iter().map(|one| eui_bits(&one.eui)).collect(),
            times: all.iter().map(|one| one.reading.time.micros()).collect(),
            volumes: all.iter().map(|one| one.reading.volume.millilitres()).collect(),
            batteries: all.iter().map(|one| one.reading.battery.map(|b| b.microvolts())).collect(),
            receipts: all.iter().map(|one| one.received_at.micros()).collect(),
        }
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 6] {
        [reseller, &self.euis, &self.times, &self.volumes, &self.batteries, &self.receipts]
    }
}
