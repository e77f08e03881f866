//! Settling what dead processes left.

use std::io;

use weir_domain::SpoolId;

use super::{Abandoned, BATCH_BYTES, Settler, apart};
use crate::spool::{Orphan, orphans};

impl Settler {
    /// Settles and removes the spools that dead processes left.
    pub(super) async fn recover(&mut self) -> Result<(), Abandoned> {
        let left = loop {
            match orphans(&self.root, self.spool.id()) {
                Ok(left) => break left,
                Err(error) => {
                    self.report(&format!("spools of earlier processes cannot be read: {error}"));
                    self.pause().await?;
                }
            }
        };
        self.is_recovering = true;
        for orphan in left {
            self.adopt(orphan).await?;
        }
        self.is_recovering = false;
        Ok(())
    }

    async fn adopt(&mut self, orphan: Orphan) -> Result<(), Abandoned> {
        let spool = orphan.id();
        let positions = self.persist(move |tx| tx.spool_positions(spool)).await?;
        let mut records = 0;
        let mut replay = match orphan.records(positions.lowest()) {
            Ok(replay) => replay,
            Err(error) => return self.give_up(spool, &error),
        };
        loop {
            let limit = self.pace.batch();
            let read;
            (replay, read) = apart(move || {
                let read = replay.next_batch(limit, BATCH_BYTES);
                (replay, read)
            })
            .await?;
            let batch = match read {
                Ok(batch) if batch.is_empty() => break,
                Ok(batch) => batch,
                Err(error) => return self.give_up(spool, &error),
            };
            records += batch.records.len();
            self.settle_batch(spool, batch).await?;
        }
        // In this order: records that are still there must not lose their position, and a position
        // and leases whose directory is gone would never be forgotten.
        if let Err(error) = orphan.clear() {
            return self.give_up(spool, &error);
        }
        self.persist(move |tx| tx.spool_forget(spool)).await?;
        if let Err(error) = orphan.remove() {
            return self.give_up(spool, &error);
        }
        if records > 0 {
            tracing::info!(%spool, records, "recovered what an earlier process acknowledged");
        }
        Ok(())
    }

    /// Leaves an orphan for the next round: its disk may come back.
    fn give_up(&self, spool: SpoolId, error: &io::Error) -> Result<(), Abandoned> {
        self.report(&format!("the spool {spool} of an earlier process cannot be read: {error}"));
        Ok(())
    }
}
