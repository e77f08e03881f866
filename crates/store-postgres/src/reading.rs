//! Readings of registered devices, in blocks.

mod append;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use tokio_postgres::Row;
use weir_domain::{DeviceKey, Reading, Timestamp, Volume};
use weir_store::block::{self, MOST, Months};
use weir_store::{From, ReadingReads, Span, StoreResult};

use crate::row::{self, Columns};
use crate::session::Params;
use crate::tx::Tx;

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
        // From the block of the same month in which the first one may be. The bound on the month is
        // what partitions are chosen by.
        let sql = "SELECT device, since, readings FROM reading_block
            WHERE reseller_id = $1 AND device = $2 AND since >= $3 AND since >= coalesce(
                (SELECT max(own.since) FROM reading_block own WHERE own.reseller_id = $1
                   AND own.device = $2 AND own.since >= $3 AND own.since <= $4), $4)
            ORDER BY since LIMIT $5";
        let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
        let (mut page, mut time) = (Vec::new(), from.time());
        let mut month = Months::start(time);
        // How many blocks it takes depends on how full they are: mostly at least half.
        let mut blocks = i64::from(limit) * 2 / MOST as i64 + 2;
        while page.len() < wanted {
            let params: Params<'_> =
                &[&reseller, &device.0, &month.micros(), &time.micros(), &blocks];
            let rows = self.rows(sql, params)?;
            for row in &rows {
                let (_, block) = row::block(row)?;
                page.extend(block.readings().iter().filter(|reading| from.admits(reading)));
                time = Timestamp::from_micros(block.since().micros() + 1);
            }
            if (rows.len() as i64) < blocks {
                break;
            }
            month = time;
            blocks *= 2;
        }
        page.truncate(wanted);
        Ok(page)
    }

    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>> {
        let reseller = self.reseller()?;
        let keys: BTreeSet<i64> = devices.iter().map(|device| device.0).collect();
        let keys: Vec<i64> = keys.into_iter().collect();
        // One short walk for each device, however long its history is. Its last months first: a few
        // partitions have to be looked into then, and not all that there are.
        let recent = "SELECT b.device, b.since, b.readings FROM device d,
            LATERAL (
                SELECT r.device, r.since, r.readings FROM reading_block r
                WHERE r.reseller_id = $1 AND r.device = d.key AND r.since >= d.newest_reading_at - $4
                ORDER BY r.since DESC LIMIT $3
            ) AS b WHERE d.reseller_id = $1 AND d.key = ANY($2) AND d.newest_reading_at > 0";
        let ever = "SELECT b.device, b.since, b.readings FROM unnest($2::bigint[]) AS d (key),
            LATERAL (
                SELECT r.device, r.since, r.readings FROM reading_block r
                WHERE r.reseller_id = $1 AND r.device = d.key
                ORDER BY r.since DESC LIMIT $3
            ) AS b";
        // Mostly the last block and a full one before it are enough, and none has less than one reading.
        let (few, enough) = (i64::from(count) / MOST as i64 + 2, i64::from(count));
        let wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let mut newest = volumes_in(&self.rows(recent, &[&reseller, &keys, &few, &RECENT])?)?;
        let is_short = |key: &i64| newest.get(key).is_none_or(|found| found.len() < wanted);
        let short: Vec<i64> = keys.into_iter().filter(is_short).collect();
        if !short.is_empty() {
            newest.extend(volumes_in(&self.rows(ever, &[&reseller, &short, &enough])?)?);
        }
        let volumes = devices.iter().map(|device| {
            let found = newest.get(&device.0).map_or(&[][..], Vec::as_slice);
            found.iter().take(wanted).rev().copied().collect()
        });
        Ok(volumes.collect())
    }

    fn readings_with_opening(&mut self, span: Span) -> StoreResult<Vec<Reading>> {
        Ok(self.readings_with_openings(&[span])?.concat())
    }

    fn readings_with_openings(&mut self, spans: &[Span]) -> StoreResult<Vec<Vec<Reading>>> {
        let reseller = self.reseller()?;
        let devices: Vec<i64> = spans.iter().map(|span| span.device.0).collect();
        let froms: Vec<i64> = spans.iter().map(|span| span.from.micros()).collect();
        let untils: Vec<i64> = spans.iter().map(|span| span.until.micros()).collect();
        let recents: Vec<i64> = froms.iter().map(|from| from.saturating_sub(RECENT)).collect();
        // The last block that begins before a span has its opening. Each span looks into the partitions
        // of its own time, and further back only where the months before it have no such block.
        let sql = "SELECT b.device, b.since, b.readings, s.place
            FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
                WITH ORDINALITY AS s (device, first, until, recently, place),
            LATERAL (
                ((SELECT device, since, readings FROM reading_block
                  WHERE reseller_id = $1 AND device = s.device
                    AND since < s.first AND since >= s.recently
                  ORDER BY since DESC LIMIT 1)
                 UNION ALL
                 (SELECT device, since, readings FROM reading_block
                  WHERE reseller_id = $1 AND device = s.device AND since < s.first
                  ORDER BY since DESC LIMIT 1)
                 LIMIT 1)
                UNION ALL
                SELECT device, since, readings FROM reading_block
                WHERE reseller_id = $1 AND device = s.device
                  AND since >= s.first AND since < s.until
            ) AS b ORDER BY s.place, b.since";
        let rows = self.rows(sql, &[&reseller, &devices, &froms, &untils, &recents])?;
        let mut readings = vec![Vec::new(); spans.len()];
        for row in &rows {
            let (_, block) = row::block(row)?;
            let place: i64 = Columns::behind(row, 3).take()?;
            let place = usize::try_from(place - 1).unwrap_or(usize::MAX);
            if let Some(readings) = readings.get_mut(place) {
                readings.extend(block.readings());
            }
        }
        let each = spans.iter().zip(&readings);
        Ok(each.map(|(span, readings)| block::with_opening(readings, span)).collect())
    }

    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool> {
        let reseller = self.reseller()?;
        let sql = "SELECT device, since, readings FROM reading_block
            WHERE reseller_id = $1 AND device = $2 AND since >= $3 AND since <= $4
            ORDER BY since DESC LIMIT 1";
        let month = Months::start(time).micros();
        let own = self.row(sql, &[&reseller, &device.0, &month, &time.micros()])?;
        let own = own.as_ref().map(row::block).transpose()?;
        Ok(own.is_some_and(|(_, own)| block::holds(own.readings(), time, volume)))
    }
}

/// The volumes in blocks of devices, the newest of each device first.
fn volumes_in(rows: &[Row]) -> StoreResult<HashMap<i64, Vec<Volume>>> {
    let mut blocks: Vec<_> = rows.iter().map(row::block).collect::<StoreResult<_>>()?;
    blocks.sort_by_key(|(_, block)| Reverse(block.since()));
    let mut volumes: HashMap<i64, Vec<Volume>> = HashMap::new();
    for (device, block) in blocks {
        let newest_first = block.readings().iter().rev().map(|reading| reading.volume);
        volumes.entry(device.0).or_default().extend(newest_first);
    }
    Ok(volumes)
}
