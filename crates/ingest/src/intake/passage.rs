//! A message on its way into the spool, and what is undone should it not arrive there.

use std::sync::Arc;

use smallvec::SmallVec;
use tokio::runtime::Handle;
use weir_domain::{DeviceKey, Reading};

use crate::pending::Pending;
use crate::quota::{Reservation, Visit};
use crate::shares::Share;
use crate::spool::{Payload, Receipt, Spool, SpoolError};

/// What was noted of a message before it is in the spool. Dropped, it is undone: the request is not
/// counted, and its readings are not on their way.
pub(super) struct Passage {
    #[expect(dead_code, reason = "held for as long as the message is under way")]
    visit: Visit,
    places: Option<Places>,
    counted: Option<Reservation>,
    noted: Option<Noted>,
}

/// The places that a message holds: one among those that wait for the disk, for as long as it waits,
/// and one among those that are not settled, until it is.
pub(super) struct Places {
    #[expect(dead_code, reason = "held for as long as the message waits")]
    pub(super) waiting: Share,
    pub(super) unsettled: Share,
}

/// Readings that are noted as on their way.
struct Noted {
    pending: Arc<Pending>,
    device: DeviceKey,
    readings: SmallVec<[Reading; 1]>,
}

impl Passage {
    /// Of a message that does not count.
    pub(super) fn uncounted(visit: Visit, places: Places) -> Self {
        Self { visit, places: Some(places), counted: None, noted: None }
    }

    /// Of a message of a device, that counts.
    pub(super) fn counted(
        visit: Visit,
        places: Places,
        reservation: Reservation,
        pending: Arc<Pending>,
        device: DeviceKey,
    ) -> Self {
        let noted = Noted { pending, device, readings: SmallVec::new() };
        Self { visit, places: Some(places), counted: Some(reservation), noted: Some(noted) }
    }

    /// Notes a reading as on its way; false where it already was.
    pub(super) fn note(&mut self, reading: Reading) -> bool {
        let Some(noted) = &mut self.noted else { return true };
        let is_new = noted.pending.add(noted.device, &reading);
        if is_new {
            noted.readings.push(reading);
        }
        is_new
    }

    /// Goes into the spool and waits until it is safe there.
    pub(super) async fn enter(self, spool: &Spool, record: Payload) -> Result<(), SpoolError> {
        let mut crossing = Crossing { receipt: spool.submit(record)?, passage: Some(self) };
        let arrived = (&mut crossing.receipt).await;
        let sequence = arrived.as_ref().ok().copied();
        crossing.passage.take().into_iter().for_each(|passage| passage.end(sequence));
        arrived.map(drop)
    }

    /// Ends with the sequence that the record has in the spool, if it is there.
    fn end(mut self, sequence: Option<u64>) {
        if let Some(sequence) = sequence {
            self.counted.take().into_iter().for_each(Reservation::keep);
            self.noted.take().into_iter().for_each(Noted::keep);
            self.places.take().into_iter().for_each(|places| places.unsettled.keep(sequence));
        }
    }
}

impl Noted {
    /// The settler removes them.
    fn keep(mut self) {
        self.readings.clear();
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        self.readings.iter().for_each(|reading| self.pending.remove(self.device, reading));
    }
}

/// A record in the spool's queue. Should its sender hang up now, it may be kept all the same, so what
/// was noted of it waits for the spool's word.
struct Crossing {
    receipt: Receipt,
    passage: Option<Passage>,
}

impl Drop for Crossing {
    fn drop(&mut self) {
        let Some(passage) = self.passage.take() else { return };
        let receipt = std::mem::replace(&mut self.receipt, Receipt::lost());
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move { passage.end(receipt.await.ok()) })),
            // The process is ending; the spool's next owner finds out.
            Err(_) => passage.end(Some(0)),
        }
    }
}
