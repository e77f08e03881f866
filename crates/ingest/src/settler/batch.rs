//! Settling one batch, whatever is in it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use weir_domain::SpoolId;
use weir_store::{Purpose, StoreError};

use super::lot::{Lot, lots};
use super::pace::FEWEST;
use super::{Abandoned, Settler, apart};
use crate::record::{Addressee, Record};
use crate::settle::{Numbered, settle};
use crate::spool::{Batch, set_aside};

/// By how much transactions are smaller at leisure.
const AT_LEISURE: usize = 8;

impl Settler {
    /// Settles a batch, whatever it takes.
    pub(super) async fn settle_batch(
        &mut self,
        spool: SpoolId,
        batch: Batch,
    ) -> Result<(), Abandoned> {
        self.figures.count_damage(batch.damaged, batch.missing);
        let (size, through) = (self.lot_size(), batch.through);
        let decoding = self.aside(move || {
            let (records, unreadable) = decode(batch.records);
            (lots(records, size), unreadable)
        });
        let (lots, unreadable) = decoding.await?;
        for Unreadable { sequence, bytes, reason } in unreadable {
            self.set_aside(spool, sequence, &bytes, &reason).await?;
        }
        for lot in lots {
            if *self.abandon.borrow() {
                return Err(Abandoned);
            }
            self.settle_lot(spool, Arc::new(lot), through).await?;
            // Whoever has nothing left in this batch need not wait for the rest of it.
            self.settled.send_modify(|_| {});
        }
        Ok(())
    }

    /// How many records are settled in one transaction. At leisure it may take many times as long as at
    /// full speed, and others may wait for it.
    fn lot_size(&self) -> usize {
        let size = self.pace.records();
        if self.is_at_leisure() { FEWEST.max(size / AT_LEISURE) } else { size }
    }

    /// Settles a lot: in one transaction, unless it is too much for one or something in it is refused.
    async fn settle_lot(
        &mut self,
        spool: SpoolId,
        lot: Arc<Lot>,
        through: u64,
    ) -> Result<(), Abandoned> {
        let records = &lot.records;
        let mut parts = lot.parts(self.pace.records(), through);
        while let Some((range, through)) = parts.pop_front() {
            match self.settle_part(spool, &lot, range.clone(), through).await? {
                Ok(()) => {}
                Err(_) if range.len() > 1 => {
                    let middle = range.start + range.len() / 2;
                    parts.push_front((middle..range.end, through));
                    parts.push_front((range.start..middle, records[middle - 1].0));
                }
                Err(reason) => {
                    if let [(sequence, record)] = &records[range.clone()] {
                        let bytes = record.encode().unwrap_or_default();
                        self.set_aside(spool, *sequence, &bytes, &reason.to_string()).await?;
                        self.forget(spool, &lot, range.clone()).await?;
                        parts.push_front((range.end..range.end, through));
                    } else {
                        // Not even the position can be stored: no record is to blame.
                        self.report(&reason.to_string());
                        self.pause().await?;
                        parts.push_front((range, through));
                    }
                }
            }
        }
        self.aside(move || drop(lot)).await
    }

    /// Settles a part of a lot in one transaction; an error is one that lasts, or of a part that is
    /// large enough to be tried in halves.
    async fn settle_part(
        &mut self,
        spool: SpoolId,
        lot: &Arc<Lot>,
        range: Range<usize>,
        through: u64,
    ) -> Result<Result<(), StoreError>, Abandoned> {
        loop {
            let (shared, part) = (lot.clone(), range.clone());
            let (purpose, begun) = (self.purpose(), Instant::now());
            let settled = self.db.system(purpose, move |tx| {
                settle(tx, spool, &shared.records[part.clone()], &shared.lanes, through)
            });
            match settled.await {
                Ok(settled) => {
                    if purpose == Purpose::Settle {
                        self.pace.took(settled, begun.elapsed());
                    }
                    self.figures.count_settled(settled as u64);
                    self.forget(spool, lot, range).await?;
                    return Ok(Ok(()));
                }
                Err(error) if error.is_passing() => {
                    self.report(&error.to_string());
                    self.pause().await?;
                    // It may have been too much at once for a store that has become slow.
                    if range.len() > FEWEST {
                        return Ok(Err(error));
                    }
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// The readings of records are on their way no more, and their places in the spool are free.
    async fn forget(
        &self,
        spool: SpoolId,
        lot: &Arc<Lot>,
        range: Range<usize>,
    ) -> Result<(), Abandoned> {
        let (lot, is_own) = (lot.clone(), spool == self.spool.id());
        let (pending, unsettled) = (self.pending.clone(), self.unsettled.clone());
        apart(move || {
            let records = &lot.records[range];
            for of_one in records.chunk_by(|(_, one), (_, next)| one.reseller == next.reseller) {
                if let Some((_, record)) = of_one.first().filter(|_| is_own) {
                    unsettled.give_back(record.reseller, of_one.len() as u64);
                }
            }
            for (_, record) in records {
                if let Addressee::Device(device) = record.to {
                    record.readings.iter().for_each(|reading| pending.remove(device, reading));
                }
            }
        })
        .await
    }

    async fn set_aside(
        &mut self,
        spool: SpoolId,
        sequence: u64,
        bytes: &[u8],
        reason: &str,
    ) -> Result<(), Abandoned> {
        tracing::error!(%spool, sequence, reason, "a record cannot be settled and is set aside");
        while let Err(error) = set_aside::set_aside(&self.root, spool, sequence, bytes, reason) {
            self.report(&format!("a record cannot be set aside: {error}"));
            self.pause().await?;
        }
        self.figures.count_set_aside();
        Ok(())
    }
}

/// What was read back and is no record.
struct Unreadable {
    sequence: u64,
    bytes: Vec<u8>,
    reason: String,
}

fn decode(read: Vec<(u64, Vec<u8>)>) -> (Vec<Numbered>, Vec<Unreadable>) {
    let mut records = Vec::with_capacity(read.len());
    let mut unreadable = Vec::new();
    for (sequence, bytes) in read {
        match Record::decode(&bytes) {
            Ok(record) => records.push((sequence, record)),
            Err(error) => {
                unreadable.push(Unreadable { sequence, bytes, reason: error.to_string() });
            }
        }
    }
    (records, unreadable)
}
