//! Readings of registered devices.

use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{DeviceKey, Reading, Timestamp, Volume};
use weir_store::{From, ReadingReads, ReadingWrites, Span, StoreResult};

use crate::row::{self, Columns};
use crate::session::Params;
use crate::tx::Tx;

/// How many readings one statement adds.
const READINGS_AT_ONCE: usize = 2_000;

/// About two months, in microseconds. What was read last is looked for that far back before it is
/// looked for everywhere: a bound on the time is what partitions are chosen by.
const RECENT: i64 = 62 * 24 * 60 * 60 * 1_000_000;

impl ReadingReads for Tx<'_> {
    fn readings_page(
        &mut self,
        device: DeviceKey,
        from: From,
        limit: u32,
    ) -> StoreResult<Vec<Reading>> {
        let reseller = self.reseller()?;
        let limit = i64::from(limit);
        let rows = match from {
            From::Time(time) => self.rows(
                "SELECT ts, volume, battery_uv FROM reading
                 WHERE reseller_id = $1 AND device = $2 AND ts >= $3
                 ORDER BY ts, volume LIMIT $4",
                &[&reseller, &device.0, &time.micros(), &limit],
            ),
            // The bound on the time alone is what partitions are chosen by.
            From::After(time, volume) => self.rows(
                "SELECT ts, volume, battery_uv FROM reading
                 WHERE reseller_id = $1 AND device = $2 AND ts >= $3 AND (ts, volume) > ($3, $4)
                 ORDER BY ts, volume LIMIT $5",
                &[&reseller, &device.0, &time.micros(), &volume.millilitres(), &limit],
            ),
        };
        rows?.iter().map(row::reading).collect()
    }

    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>> {
        let reseller = self.reseller()?;
        let keys: Vec<i64> = devices.iter().map(|device| device.0).collect();
        // One short walk for each device, however long its history is. Its last months first: a few
        // partitions have to be looked into then, and not all that there are.
        let sql = "SELECT p.place, CASE WHEN cardinality(recent.volumes) = $3 THEN recent.volumes
                ELSE ARRAY(
                    SELECT r.volume FROM reading r WHERE r.reseller_id = $1 AND r.device = p.key
                    ORDER BY r.ts DESC, r.volume DESC LIMIT $3)
                END
            FROM unnest($2::bigint[]) WITH ORDINALITY AS p (key, place)
            LEFT JOIN device d ON d.reseller_id = $1 AND d.key = p.key,
            LATERAL (
                SELECT ARRAY(
                    SELECT r.volume FROM reading r WHERE r.reseller_id = $1 AND r.device = p.key
                      AND r.ts >= CASE WHEN d.newest_reading_at > 0
                          THEN d.newest_reading_at - $4 END
                    ORDER BY r.ts DESC, r.volume DESC LIMIT $3) AS volumes
                OFFSET 0
            ) AS recent ORDER BY p.place";
        let rows = self.rows(sql, &[&reseller, &keys, &i64::from(count), &RECENT])?;
        let newest = rows.iter().map(|row| {
            let mut columns = Columns::of(row);
            columns.take::<i64>()?;
            let newest_first: Vec<i64> = columns.take()?;
            Ok(newest_first.into_iter().rev().map(Volume::from_millilitres).collect())
        });
        newest.collect()
    }

    fn readings_with_opening(&mut self, span: Span) -> StoreResult<Vec<Reading>> {
        let reseller = self.reseller()?;
        let opening = "(SELECT ts, volume, battery_uv FROM reading
             WHERE reseller_id = $1 AND device = $2 AND ts < $3 AND ts >= $4
             ORDER BY ts DESC, volume DESC LIMIT 1)
            UNION ALL
            (SELECT ts, volume, battery_uv FROM reading
             WHERE reseller_id = $1 AND device = $2 AND ts < $3
             ORDER BY ts DESC, volume DESC LIMIT 1)
            LIMIT 1";
        let within = "SELECT ts, volume, battery_uv FROM reading
            WHERE reseller_id = $1 AND device = $2 AND ts >= $3 AND ts < $4
            ORDER BY ts, volume";
        let (from, until) = (span.from.micros(), span.until.micros());
        let [opening, within] = self.rows_of_both([
            (opening, &[&reseller, &span.device.0, &from, &recently(span.from)]),
            (within, &[&reseller, &span.device.0, &from, &until]),
        ])?;
        opening.iter().chain(&within).map(row::reading).collect()
    }

    fn readings_with_openings(&mut self, spans: &[Span]) -> StoreResult<Vec<Vec<Reading>>> {
        let reseller = self.reseller()?;
        let devices: Vec<i64> = spans.iter().map(|span| span.device.0).collect();
        let froms: Vec<i64> = spans.iter().map(|span| span.from.micros()).collect();
        let untils: Vec<i64> = spans.iter().map(|span| span.until.micros()).collect();
        let recents: Vec<i64> = spans.iter().map(|span| recently(span.from)).collect();
        // Each span looks into the partitions of its own time, and further back only where the months
        // before it have no reading that opens it.
        let sql = "SELECT r.ts, r.volume, r.battery_uv, s.place
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                WITH ORDINALITY AS s (device, first, until, recently, place),
            LATERAL (
                ((SELECT ts, volume, battery_uv FROM reading
                  WHERE reseller_id = $1 AND device = s.device
                    AND ts < s.first AND ts >= s.recently
                  ORDER BY ts DESC, volume DESC LIMIT 1)
                 UNION ALL
                 (SELECT ts, volume, battery_uv FROM reading
                  WHERE reseller_id = $1 AND device = s.device AND ts < s.first
                  ORDER BY ts DESC, volume DESC LIMIT 1)
                 LIMIT 1)
                UNION ALL
                SELECT ts, volume, battery_uv FROM reading
                WHERE reseller_id = $1 AND device = s.device AND ts >= s.first AND ts < s.until
            ) AS r ORDER BY s.place, r.ts, r.volume";
        let rows = self.rows(sql, &[&reseller, &devices, &froms, &untils, &recents])?;
        let mut readings = vec![Vec::new(); spans.len()];
        for row in &rows {
            let (reading, place) = row::placed_reading(row)?;
            if let Some(readings) = place.checked_sub(1).and_then(|place| readings.get_mut(place)) {
                readings.push(reading);
            }
        }
        Ok(readings)
    }

    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "SELECT 1 FROM reading
            WHERE reseller_id = $1 AND device = $2 AND ts = $3 AND volume = $4";
        let params: Params<'_> = &[&reseller, &device.0, &time.micros(), &volume.millilitres()];
        Ok(self.row(sql, params)?.is_some())
    }
}

impl ReadingWrites for Tx<'_> {
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let columns: Vec<_> = readings.chunks(READINGS_AT_ONCE).map(ReadingColumns::of).collect();
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 5]>::as_slice).collect();
        let sql = "INSERT INTO reading (reseller_id, device, ts, volume, battery_uv)
            SELECT $1, r.* FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::int[]) AS r
            ON CONFLICT DO NOTHING";
        self.execute_each(sql, &params)?;
        Ok(())
    }
}

/// How far back from a moment its opening is looked for first.
fn recently(from: Timestamp) -> i64 {
    from.micros().saturating_sub(RECENT)
}

struct ReadingColumns {
    devices: Vec<i64>,
    times: Vec<i64>,
    volumes: Vec<i64>,
    batteries: Vec<Option<i32>>,
}

impl ReadingColumns {
    fn of(readings: &[(DeviceKey, Reading)]) -> Self {
        Self {
            devices: readings.iter().map(|(device, _)| device.0).collect(),
            times: readings.iter().map(|(_, reading)| reading.time.micros()).collect(),
            volumes: readings.iter().map(|(_, reading)| reading.volume.millilitres()).collect(),
            batteries: readings.iter().map(|(_, r)| r.battery.map(|b| b.microvolts())).collect(),
        }
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 5] {
        [reseller, &self.devices, &self.times, &self.volumes, &self.batteries]
    }
}
