//! Readings of registered devices, in blocks.

use std::ops::ControlFlow;

use weir_domain::{DeviceKey, Reading, Timestamp, Volume};
use weir_store::block::{self, Block, Edits, Part};
use weir_store::{From, ReadingReads, ReadingWrites, Span, StoreResult};

use crate::row;
use crate::tx::{Statement, Tx};

/// A device's blocks that begin behind a moment and not behind another, in order.
pub(crate) const BEHIND: &str = "SELECT device, since, readings FROM gate.reading_block
     WHERE device = ?1 AND since > ?2 AND since <= ?3 ORDER BY since";

/// The same blocks the other way round.
pub(crate) const BACK: &str = "SELECT device, since, readings FROM gate.reading_block
     WHERE device = ?1 AND since > ?2 AND since <= ?3 ORDER BY since DESC";

impl ReadingReads for Tx<'_> {
    fn readings_page(
        &mut self,
        device: DeviceKey,
        from: From,
        limit: u32,
    ) -> StoreResult<Vec<Reading>> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let own = last_block(&mut self.statement(BACK)?, device, from.time())?;
        let readings = own.iter().flat_map(Block::readings).filter(|reading| from.admits(reading));
        let mut page: Vec<Reading> = readings.copied().collect();
        let values = (device.0, from.time().micros(), i64::MAX);
        self.statement(BEHIND)?.walk(values, |row| {
            // Before the row: the page may be full from the start.
            if page.len() >= limit {
                return Ok(ControlFlow::Break(()));
            }
            page.extend(row::block(row)?.readings());
            Ok(ControlFlow::Continue(()))
        })?;
        page.truncate(limit);
        Ok(page)
    }

    fn volumes_newest(
        &mut self,
        devices: &[DeviceKey],
        count: u32,
    ) -> StoreResult<Vec<Vec<Volume>>> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let mut select = self.statement(BACK)?;
        let newest = devices.iter().map(|device| {
            let mut volumes = Vec::new();
            select.walk((device.0, i64::MIN, i64::MAX), |row| {
                let block = row::block(row)?;
                volumes.extend(block.readings().iter().rev().map(|reading| reading.volume));
                Ok(if volumes.len() < count {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                })
            })?;
            volumes.truncate(count);
            volumes.reverse();
            Ok(volumes)
        });
        newest.collect()
    }

    fn readings_with_opening(&mut self, span: Span) -> StoreResult<Vec<Reading>> {
        Ok(self.readings_with_openings(&[span])?.concat())
    }

    fn readings_with_openings(&mut self, spans: &[Span]) -> StoreResult<Vec<Vec<Reading>>> {
        let mut select = self.statement(BACK)?;
        let openings =
            spans.iter().map(|span| last_block(&mut select, span.device, before(span.from)));
        let openings: Vec<_> = openings.collect::<StoreResult<_>>()?;
        let mut select = self.statement(BEHIND)?;
        let readings = spans.iter().zip(openings).map(|(span, opening)| {
            let values = (span.device.0, before(span.from).micros(), before(span.until).micros());
            let within = select.all(values, row::block)?;
            let blocks = opening.iter().chain(&within);
            let readings: Vec<_> = blocks.flat_map(Block::readings).copied().collect();
            Ok(block::with_opening(&readings, span))
        });
        readings.collect()
    }

    fn reading_exists(
        &mut self,
        device: DeviceKey,
        time: Timestamp,
        volume: Volume,
    ) -> StoreResult<bool> {
        let own = last_block(&mut self.statement(BACK)?, device, time)?;
        Ok(own.is_some_and(|own| block::holds(own.readings(), time, volume)))
    }
}

impl ReadingWrites for Tx<'_> {
    fn readings_append(&mut self, readings: &[(DeviceKey, Reading)]) -> StoreResult<()> {
        let sorted = block::sorted(readings);
        let parts: Vec<Part<'_>> = block::parts(&sorted).collect();
        let mut select = self.statement(BACK)?;
        let edits = parts.iter().map(|part| {
            Ok((part.device, block::merge(blocks_from(&mut select, part)?, part.readings())))
        });
        let edits: Vec<(DeviceKey, Edits)> = edits.collect::<StoreResult<_>>()?;
        self.blocks_edit(&edits)
    }
}

impl Tx<'_> {
    fn blocks_edit(&self, edits: &[(DeviceKey, Edits)]) -> StoreResult<()> {
        let name = |device: &DeviceKey| format!("the block of device {}", device.0);
        let mut delete =
            self.statement("DELETE FROM reading_block WHERE device = ?1 AND since = ?2")?;
        for (device, edits) in edits {
            for since in &edits.deletes {
                let deleted = delete.execute((device.0, since.micros()))?;
                crate::expect_rows(deleted, 1, || name(device))?;
            }
        }
        let sql = "UPDATE OR FAIL reading_block SET readings = ?3 WHERE device = ?1 AND since = ?2";
        let mut update = self.statement(sql)?;
        for (device, edits) in edits {
            for block in &edits.updates {
                let values = (device.0, block.since().micros(), block.encode());
                crate::expect_rows(update.execute(values)?, 1, || name(device))?;
            }
        }
        let sql = "INSERT INTO reading_block (device, since, readings) VALUES (?1, ?2, ?3)";
        let mut insert = self.statement(sql)?;
        for (device, edits) in edits {
            for block in &edits.inserts {
                insert.execute((device.0, block.since().micros(), block.encode()))?;
            }
        }
        Ok(())
    }
}

/// The last block of a device that begins at or before a moment.
fn last_block(
    back: &mut Statement<'_>,
    device: DeviceKey,
    time: Timestamp,
) -> StoreResult<Option<Block>> {
    back.first((device.0, i64::MIN, time.micros()), row::block)
}

/// The blocks of a part's month from that on which its first reading belongs in.
fn blocks_from(back: &mut Statement<'_>, part: &Part<'_>) -> StoreResult<Vec<Block>> {
    let mut blocks = Vec::new();
    let values = (part.device.0, before(part.start).micros(), before(part.end).micros());
    back.walk(values, |row| {
        let block = row::block(row)?;
        let is_own = block.since() <= part.first;
        blocks.push(block);
        Ok(if is_own { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    blocks.reverse();
    Ok(blocks)
}

/// The moment before another.
fn before(time: Timestamp) -> Timestamp {
    Timestamp::from_micros(time.micros().saturating_sub(1))
}
