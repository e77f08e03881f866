//! New readings, merged into blocks.

use std::collections::{BTreeMap, HashMap};
use std::iter::{repeat, zip};

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;
use weir_domain::{DeviceKey, Reading, Timestamp};
use weir_store::block::{self, Block, Edits, Part};
use weir_store::{ReadingWrites, StoreResult};

use crate::row;
use crate::session::Params;
use crate::tx::Tx;

/// How many blocks one statement finds or stores: what takes the server a few milliseconds, so that it
/// may pause in between.
const AT_ONCE: usize = 250;

/// The first moment of a month, and that of the next. What is loaded is loaded by months, since they are
/// what partitions are chosen by.
type Month = (Timestamp, Timestamp);

/// Blocks of devices, in order.
type BlocksOf = HashMap<DeviceKey, Vec<Block>>;

impl ReadingWrites for Tx<'_> {
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()> {
        let sorted = block::sorted(readings);
        let mut months: BTreeMap<Month, Vec<Part<'_>>> = BTreeMap::new();
        for part in block::parts(&sorted) {
            months.entry((part.start, part.end)).or_default().push(part);
        }
        months.into_iter().try_for_each(|(month, parts)| self.append_within(month, &parts))
    }
}

impl Tx<'_> {
    fn append_within(&mut self, month: Month, parts: &[Part<'_>]) -> StoreResult<()> {
        let mut kept = self.last_blocks(month, parts)?;
        // Only what comes late has to know more than the last block of its month.
        let is_late = |part: &&Part<'_>| {
            kept.get(&part.device).is_some_and(|blocks| blocks[0].since() > part.first)
        };
        let late: Vec<&Part<'_>> = parts.iter().filter(is_late).collect();
        if !late.is_empty() {
            kept.extend(self.blocks_from(month, &late)?);
        }
        let mut edits = Vec::with_capacity(parts.len());
        for part in parts {
            let blocks = kept.remove(&part.device).unwrap_or_default();
            edits.push((part.device, block::merge(blocks, part.readings())));
        }
        self.blocks_edit(&edits)
    }

    /// The last block of the month of each part's device.
    fn last_blocks(&mut self, month: Month, parts: &[Part<'_>]) -> StoreResult<BlocksOf> {
        let reseller = self.reseller()?;
        let devices: Vec<i64> = parts.iter().map(|part| part.device.0).collect();
        let sql = "SELECT b.device, b.since, b.readings FROM unnest($2::bigint[]) AS p (device),
            LATERAL (
                SELECT device, since, readings FROM reading_block
                WHERE reseller_id = $1 AND device = p.device AND since >= $3 AND since < $4
                ORDER BY since DESC LIMIT 1
            ) AS b";
        let (start, end) = (month.0.micros(), month.1.micros());
        let devices: Vec<&[i64]> = devices.chunks(AT_ONCE).collect();
        let params: Vec<[&(dyn ToSql + Sync); 4]> = devices
            .iter()
            .map(|devices| [&reseller as _, devices as _, &start as _, &end as _])
            .collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 4]>::as_slice).collect();
        by_device(&self.rows_of_each(sql, &params)?)
    }

    /// The blocks of the month of each part's device from that on which the first reading belongs in.
    fn blocks_from(&mut self, month: Month, parts: &[&Part<'_>]) -> StoreResult<BlocksOf> {
        let reseller = self.reseller()?;
        let devices: Vec<i64> = parts.iter().map(|part| part.device.0).collect();
        let firsts: Vec<i64> = parts.iter().map(|part| part.first.micros()).collect();
        let sql = "SELECT b.device, b.since, b.readings
            FROM unnest($2::bigint[], $3::bigint[]) AS p (device, first),
            LATERAL (
                SELECT device, since, readings FROM reading_block
                WHERE reseller_id = $1 AND device = p.device AND since >= $4 AND since < $5
                  AND since >= coalesce(
                    (SELECT max(own.since) FROM reading_block own
                     WHERE own.reseller_id = $1 AND own.device = p.device
                       AND own.since >= $4 AND own.since <= p.first), $4)
            ) AS b ORDER BY b.device, b.since";
        let (start, end) = (month.0.micros(), month.1.micros());
        by_device(&self.rows(sql, &[&reseller, &devices, &firsts, &start, &end])?)
    }

    fn blocks_edit(&mut self, edits: &[(DeviceKey, Edits)]) -> StoreResult<()> {
        let reseller = self.reseller()?;
        let gone = edits.iter().flat_map(|(device, edits)| zip(repeat(device.0), &edits.deletes));
        let (devices, sinces): (Vec<i64>, Vec<i64>) =
            gone.map(|(device, since)| (device, since.micros())).unzip();
        if !devices.is_empty() {
            let sql = "DELETE FROM reading_block b
                USING unnest($2::bigint[], $3::bigint[]) AS s (device, since)
                WHERE b.reseller_id = $1 AND b.device = s.device AND b.since = s.since";
            let deleted = self.execute(sql, &[&reseller, &devices, &sinces])?;
            crate::expect_rows(deleted, devices.len(), "blocks that begin earlier")?;
        }
        // An update would be joined with what it updates: by a walk through the whole month where
        // PostgreSQL takes that for short. This way each block is found by its key.
        let sql = "INSERT INTO reading_block (reseller_id, device, since, readings)
            SELECT $1, s.* FROM unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS s
            ON CONFLICT (reseller_id, device, since) DO UPDATE SET readings = excluded.readings";
        let stored = edits.iter().flat_map(|(device, edits)| {
            zip(repeat(*device), edits.updates.iter().chain(&edits.inserts))
        });
        let columns = BlockColumns::of(stored);
        let params: Vec<_> = columns.iter().map(|columns| columns.params(&reseller)).collect();
        let params: Vec<Params<'_>> = params.iter().map(<[_; 4]>::as_slice).collect();
        self.execute_each(sql, &params)?;
        Ok(())
    }
}

fn by_device(rows: &[Row]) -> StoreResult<BlocksOf> {
    let mut blocks = BlocksOf::new();
    for row in rows {
        let (device, block) = row::block(row)?;
        blocks.entry(device).or_default().push(block);
    }
    Ok(blocks)
}

/// The columns of many blocks, for `unnest`.
#[derive(Default)]
struct BlockColumns {
    devices: Vec<i64>,
    sinces: Vec<i64>,
    readings: Vec<Vec<u8>>,
}

impl BlockColumns {
    /// Takes blocks apart, as many as one statement stores at a time.
    fn of<'b>(blocks: impl Iterator<Item = (DeviceKey, &'b Block)>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for (device, block) in blocks {
            if all.last().is_none_or(|last| last.devices.len() == AT_ONCE) {
                all.push(Self::default());
            }
            if let Some(last) = all.last_mut() {
                last.devices.push(device.0);
                last.sinces.push(block.since().micros());
                last.readings.push(block.encode());
            }
        }
        all
    }

    fn params<'p>(&'p self, reseller: &'p Uuid) -> [&'p (dyn ToSql + Sync); 4] {
        [reseller, &self.devices, &self.sinces, &self.readings]
    }
}
