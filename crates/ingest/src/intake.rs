//! Taking an uplink in: from the body of a request to an acknowledged record in the spool.

use std::sync::Arc;

use weir_domain::name::TenantNames;
use weir_domain::{Eui, Month, Reading, ReadingId, Timestamp};
use weir_store::{Db, Scope, StoreError};
use weir_uplink::{FieldError, Format, Message, Rejection, Unreadable, Uplink};

use crate::directory::{Directory, Entry};
use crate::pending::Pending;
use crate::quota::{NoQuota, Quota, Standing};
use crate::record::{Addressee, Record};
use crate::recovery::Recovery;
use crate::spool::{Spool, SpoolError};

/// Who sends uplinks.
#[derive(Debug, Clone, Copy)]
pub struct Sender<'a> {
    /// What they may touch.
    pub scope: &'a Scope,
    /// The names that their payloads may call them by.
    pub tenant_names: &'a TenantNames,
}

/// Proof that the quota was looked at, and when the message came.
#[derive(Debug, Clone, Copy)]
pub struct Admission {
    received_at: Timestamp,
}

/// A message that was dealt with.
#[derive(Debug, Clone, PartialEq)]
pub enum Taken {
    /// It is in the spool, and safe.
    Accepted(Accepted),
    /// It is no uplink; nothing was stored or counted.
    Ignored {
        /// Why, in a sentence.
        reason: String,
    },
}

/// An accepted uplink, described by its newest reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Accepted {
    /// The reading's id.
    pub id: ReadingId,
    /// The device's EUI as it was registered.
    pub dev_eui: Eui,
    /// The newest reading.
    pub reading: Reading,
    /// Whose format it came in.
    pub format: Format,
    /// How many readings the message carried.
    pub readings: usize,
    /// Whether all of them are known already.
    pub duplicate: bool,
    /// Whether a reading's time was impossible and was replaced by the time of receipt.
    pub time_replaced: bool,
    /// Whether the network server only simulated it.
    pub simulated: bool,
    /// Whether the device is soft-deleted.
    pub device_deleted: bool,
}

/// Why an uplink was not taken. Unless it says otherwise, nothing was stored or counted.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotTaken {
    /// The month's quota is used up.
    #[error("The monthly webhook quota is used up.")]
    QuotaUsedUp(Standing),
    /// The body is no JSON object, or has the keys of no format.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The tenant name in the payload is not the sender's.
    #[error("The tenant name in the payload is not yours.")]
    TenantMismatch,
    /// The EUI is a string of another form.
    #[error("{0}")]
    InvalidEui(FieldError),
    /// Fields are missing, of the wrong type or out of range.
    #[error("The payload does not fit its format.")]
    Fields(Vec<FieldError>),
    /// No device of the sender goes by the EUI. The uplink is remembered.
    #[error("No device with EUI {0} is registered. The uplink is remembered until it is.")]
    UnknownDevice(Eui),
    /// The spool cannot take it now.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// It cannot be decided without the store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<NoQuota> for NotTaken {
    fn from(reason: NoQuota) -> Self {
        match reason {
            NoQuota::UsedUp(standing) => Self::QuotaUsedUp(standing),
            NoQuota::Store(error) => Self::Store(error),
        }
    }
}

impl From<Rejection> for NotTaken {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::InvalidEui(error) => Self::InvalidEui(error),
            Rejection::Fields(errors) => Self::Fields(errors),
        }
    }
}

/// The way in for uplinks.
pub struct Intake {
    pub(crate) db: Db,
    pub(crate) spool: Arc<Spool>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) pending: Arc<Pending>,
    pub(crate) quota: Arc<Quota>,
    pub(crate) recovery: Recovery,
}

impl Intake {
    /// Whether the month has room for one more message. This comes before the message is looked at:
    /// past the quota every request is refused alike.
    pub async fn admit(
        &self,
        scope: &Scope,
        received_at: Timestamp,
    ) -> Result<Admission, NotTaken> {
        self.quota.check(scope, Month::of(received_at)).await?;
        Ok(Admission { received_at })
    }

    /// Takes a message in. The checks come in this order: JSON object, format, tenant, EUI, fields,
    /// device.
    pub async fn take(
        &self,
        Admission { received_at }: Admission,
        sender: Sender<'_>,
        event: Option<&str>,
        body: &[u8],
    ) -> Result<Taken, NotTaken> {
        let envelope = match weir_uplink::read(body, event)? {
            Message::Uplink(envelope) => envelope,
            Message::Ignored { reason } => return Ok(Taken::Ignored { reason }),
        };
        let tenant = envelope.tenant().map_err(NotTaken::Fields)?;
        if !sender.tenant_names.include(tenant) {
            return Err(NotTaken::TenantMismatch);
        }
        let mut uplink = envelope.uplink()?;
        let mut time_replaced = false;
        for reading in &mut uplink.readings {
            time_replaced |= reading.correct_time(received_at);
        }
        self.recovery.wait_briefly().await;
        match self.directory.find(sender.scope, uplink.eui).await? {
            Some(device) => {
                self.accept(sender.scope, &device, uplink, time_replaced, received_at).await
            }
            None => Err(self.remember(sender.scope, uplink, received_at).await),
        }
        .map(Taken::Accepted)
    }

    /// What the sender has left of the month, for the rate-limit headers.
    pub fn standing(&self, scope: &Scope, now: Timestamp) -> Option<Standing> {
        self.quota.standing(scope.reseller(), Month::of(now))
    }

    async fn accept(
        &self,
        scope: &Scope,
        device: &Entry,
        uplink: Uplink,
        time_replaced: bool,
        received_at: Timestamp,
    ) -> Result<Accepted, NotTaken> {
        let mut reservation = self.quota.reserve(scope, Month::of(received_at)).await?;
        let noted = self.note(scope, device, &uplink.readings).await;
        let Some(newest) = newest(&uplink.readings) else {
            return Err(NotTaken::Fields(Vec::new()));
        };
        let accepted = Accepted {
            id: ReadingId::of(device.id, newest.time, newest.volume),
            dev_eui: device.dev_eui,
            reading: newest,
            format: uplink.format,
            readings: uplink.readings.len(),
            duplicate: noted.all_known,
            time_replaced,
            simulated: uplink.simulated,
            device_deleted: !device.is_live,
        };
        let record = record(scope, Addressee::Device(device.key), uplink, received_at);
        // From here on the record may be kept even if the sender hangs up, so it counts.
        reservation.keep();
        if let Err(error) = self.append(&record).await {
            reservation.give_back();
            noted.added.iter().for_each(|reading| self.pending.remove(device.key, reading));
            return Err(error);
        }
        if accepted.device_deleted {
            tracing::warn!(dev_eui = %accepted.dev_eui, "an uplink came for a soft-deleted device");
        }
        Ok(accepted)
    }

    /// Notes readings as on their way, and finds out which are known already. Where that takes the
    /// store and the store is away, a late reading goes without its flag: its key makes it harmless.
    async fn note(&self, scope: &Scope, device: &Entry, readings: &[Reading]) -> Noted {
        let mut noted = Noted { added: Vec::new(), all_known: true };
        for &reading in readings {
            if !self.pending.add(device.key, &reading) {
                continue;
            }
            noted.added.push(reading);
            if device.note(reading.time) {
                noted.all_known = false;
                continue;
            }
            let key = device.key;
            let asked =
                self.db.read(scope, move |tx| tx.reading_exists(key, reading.time, reading.volume));
            let known: Result<bool, StoreError> = asked.await;
            noted.all_known &= known.unwrap_or(false);
        }
        noted
    }

    /// Keeps an uplink of a device that is not registered, and says so.
    async fn remember(&self, scope: &Scope, uplink: Uplink, received_at: Timestamp) -> NotTaken {
        let eui = uplink.eui;
        let record = record(scope, Addressee::Unregistered(eui), uplink, received_at);
        match self.append(&record).await {
            Ok(()) => NotTaken::UnknownDevice(eui),
            Err(error) => error,
        }
    }

    async fn append(&self, record: &Record) -> Result<(), NotTaken> {
        let bytes = record.encode().map_err(|error| StoreError::Broken(error.to_string()))?;
        self.spool.append(bytes).await?;
        Ok(())
    }
}

/// What became of a message's readings when they were noted.
struct Noted {
    /// Those that were not on their way before.
    added: Vec<Reading>,
    /// Whether every one was known, settled or not.
    all_known: bool,
}

fn record(scope: &Scope, to: Addressee, uplink: Uplink, received_at: Timestamp) -> Record {
    Record {
        reseller: scope.reseller(),
        to,
        month: Month::of(received_at),
        received_at,
        device_name: uplink.device_name,
        position: uplink.position,
        readings: uplink.readings,
    }
}

fn newest(readings: &[Reading]) -> Option<Reading> {
    readings.iter().copied().max_by_key(|reading| (reading.time, reading.volume))
}
