//! Settling one batch, whatever is in it.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use weir_domain::SpoolId;
use weir_store::{Purpose, StoreError};

use super::lot::{Lot, lots};
use super::pace::FEWEST;
use super::{Abandoned, Settler};
use crate::record::{Addressee, Record};
use crate::settle::{Numbered, settle};
use crate::spool::{Batch, set_aside};

impl Settler {
    /// Settles a batch, whatever it takes.
    pub(super) async fn settle_batch(
        &mut self,
        spool: SpoolId,
        batch: Batch,
    ) -> Result<(), Abandoned> {
        if *self.abandon.borrow() {
            return Err(Abandoned);
        }
        self.figures.count_damage(batch.damaged, batch.missing);
        let mut records: Vec<Numbered> = Vec::with_capacity(batch.records.len());
        for (sequence, bytes) in batch.records {
            match Record::decode(&bytes) {
                Ok(record) => records.push((sequence, record)),
                Err(error) => self.set_aside(spool, sequence, &bytes, &error.to_string()).await?,
            }
        }
        for lot in lots(records, self.pace.records()) {
            self.settle_lot(spool, Arc::new(lot), batch.through).await?;
        }
        Ok(())
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
                        self.forget(spool, &records[range.clone()]);
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
        Ok(())
    }

    /// Settles a part of a batch in one transaction; an error is one that lasts, or of a part that is
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
            let begun = Instant::now();
            let settled = self.db.system(Purpose::Settle, move |tx| {
                settle(tx, spool, &shared.records[part.clone()], &shared.lanes, through)
            });
            match settled.await {
                Ok(()) => {
                    self.forget(spool, &lot.records[range.clone()]);
                    self.figures.count_settled(range.len() as u64);
                    self.pace.took(range.len(), begun.elapsed());
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
    fn forget(&self, spool: SpoolId, records: &[Numbered]) {
        for of_one in records.chunk_by(|(_, one), (_, next)| one.reseller == next.reseller) {
            if let Some((_, record)) = of_one.first().filter(|_| spool == self.spool.id()) {
                self.unsettled.give_back(record.reseller, of_one.len() as u64);
            }
        }
        for (_, record) in records {
            if let Addressee::Device(device) = record.to {
                record.readings.iter().for_each(|reading| self.pending.remove(device, reading));
            }
        }
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
