//! Taking an uplink in: from the body of a request to an acknowledged record in the spool.

mod passage;

use std::sync::Arc;

use weir_domain::name::TenantNames;
use weir_domain::{DeviceKey, Eui, Month, Reading, ReadingId, Timestamp};
use weir_store::{Db, Scope, StoreError};
use weir_uplink::{FieldError, Format, Message, Rejection, Unreadable, Uplink};

use crate::directory::{Directory, Entry};
use crate::pending::Pending;
use crate::prompt::promptly;
use crate::quota::{NoQuota, Quota, Standing, Visit};
use crate::record::{Addressee, Record};
use crate::recovery::Recovery;
use crate::shares::Shares;
use crate::spool::{Payload, Spool, SpoolError};
use passage::{Passage, Places};

/// Who sends uplinks.
#[derive(Debug, Clone, Copy)]
pub struct Sender<'a> {
    /// What they may touch.
    pub scope: &'a Scope,
    /// The names that their payloads may call them by.
    pub tenant_names: &'a TenantNames,
}

/// Proof that the quota was looked at, and when the message came. While it lives, its reseller is not
/// deleted.
pub struct Admission {
    received_at: Timestamp,
    visit: Visit,
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
    /// The sender has more under way than is good for the others.
    #[error("Too many of the sender's uplinks are under way.")]
    Crowded,
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
    /// Who has how many uplinks waiting for the disk.
    pub(crate) waiting: Arc<Shares>,
    /// Who has how many records that are not settled.
    pub(crate) unsettled: Arc<Shares>,
}

impl Intake {
    /// Whether the month has room for one more message. This comes before the message is looked at:
    /// past the quota every request is refused alike. What earlier processes acknowledged counts too,
    /// so it is waited for, but not for long.
    pub async fn admit(
        &self,
        scope: &Scope,
        received_at: Timestamp,
    ) -> Result<Admission, NotTaken> {
        self.recovery.wait_briefly().await;
        let visit = self.quota.admit(scope, Month::of(received_at)).await?;
        Ok(Admission { received_at, visit })
    }

    /// Takes a message of the sender who was admitted in. The checks come in this order: JSON object,
    /// format, tenant, EUI, fields, device.
    pub async fn take(
        &self,
        admission: Admission,
        sender: Sender<'_>,
        event: Option<&str>,
        body: impl AsRef<[u8]>,
    ) -> Result<Taken, NotTaken> {
        let arrival = match self.read(admission, sender, event, body.as_ref())? {
            Read::Uplink(arrival) => arrival,
            Read::Ignored { reason } => return Ok(Taken::Ignored { reason }),
        };
        // Hundreds wait for the disk at a time, and none of them needs its body for that.
        drop(body);
        match self.directory.find(sender.scope, arrival.uplink.eui).await? {
            Some(device) => self.accept(sender.scope, &device, arrival).await.map(Taken::Accepted),
            None => Err(self.remember(sender.scope, arrival).await),
        }
    }

    /// What a message says, if it is an uplink of the sender's and there is room for it.
    fn read(
        &self,
        Admission { received_at, visit }: Admission,
        sender: Sender<'_>,
        event: Option<&str>,
        body: &[u8],
    ) -> Result<Read, NotTaken> {
        let envelope = match weir_uplink::read(body, event)? {
            Message::Uplink(envelope) => envelope,
            Message::Ignored { reason } => return Ok(Read::Ignored { reason }),
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
        let places = self.places(sender.scope).ok_or(NotTaken::Crowded)?;
        Ok(Read::Uplink(Arrival { uplink, time_replaced, received_at, visit, places }))
    }

    /// What the sender has left of the month, for the rate-limit headers.
    pub fn standing(&self, scope: &Scope, now: Timestamp) -> Option<Standing> {
        self.quota.standing(scope.reseller(), Month::of(now))
    }

    fn places(&self, scope: &Scope) -> Option<Places> {
        let waiting = self.waiting.take(scope.reseller())?;
        let unsettled = self.unsettled.take(scope.reseller())?;
        Some(Places { waiting, unsettled })
    }

    async fn accept(
        &self,
        scope: &Scope,
        device: &Entry,
        Arrival { uplink, time_replaced, received_at, visit, places }: Arrival,
    ) -> Result<Accepted, NotTaken> {
        let reservation = self.quota.reserve(&visit, scope, Month::of(received_at)).await?;
        let mut passage =
            Passage::counted(visit, places, reservation, self.pending.clone(), device.key);
        let duplicate = self.are_known(&mut passage, scope, device, &uplink.readings).await;
        let Some(newest) = newest(&uplink.readings) else {
            return Err(NotTaken::Fields(Vec::new()));
        };
        let accepted = Accepted {
            id: ReadingId::of(device.id, newest.time, newest.volume),
            dev_eui: device.dev_eui,
            reading: newest,
            format: uplink.format,
            readings: uplink.readings.len(),
            duplicate,
            time_replaced,
            simulated: uplink.simulated,
            device_deleted: !device.is_live,
        };
        let record = encoded(&record(scope, Addressee::Device(device.key), uplink, received_at))?;
        passage.enter(&self.spool, record).await?;
        if accepted.device_deleted {
            tracing::warn!(dev_eui = %accepted.dev_eui, "an uplink came for a soft-deleted device");
        }
        Ok(accepted)
    }

    /// Notes readings as on their way, and finds out whether all are known already. Where that takes
    /// the store and the store is away, a late reading goes without its flag: its key makes it
    /// harmless.
    async fn are_known(
        &self,
        passage: &mut Passage,
        scope: &Scope,
        device: &Entry,
        readings: &[Reading],
    ) -> bool {
        let mut all_known = true;
        let mut late = Vec::new();
        for &reading in readings {
            if !passage.note(reading) {
                continue;
            }
            if device.note(reading.time) {
                all_known = false;
            } else {
                late.push(reading);
            }
        }
        if !all_known || late.is_empty() {
            return all_known;
        }
        // In a box, as all that is rarely done on this way: it would make every uplink's future larger.
        Box::pin(self.are_stored(scope, device.key, late)).await
    }

    async fn are_stored(&self, scope: &Scope, device: DeviceKey, readings: Vec<Reading>) -> bool {
        let asked = self.db.read(scope, move |tx| {
            let mut exist = readings.iter().map(|it| tx.reading_exists(device, it.time, it.volume));
            exist.try_fold(true, |all, exists| Ok(all & exists?))
        });
        promptly(asked).await.unwrap_or(false)
    }

    /// Keeps an uplink of a device that is not registered, and says so.
    async fn remember(
        &self,
        scope: &Scope,
        Arrival { uplink, received_at, visit, places, .. }: Arrival,
    ) -> NotTaken {
        let eui = uplink.eui;
        let to = Addressee::Unregistered(eui);
        let record = match encoded(&record(scope, to, uplink, received_at)) {
            Ok(record) => record,
            Err(error) => return error.into(),
        };
        match Passage::uncounted(visit, places).enter(&self.spool, record).await {
            Ok(()) => NotTaken::UnknownDevice(eui),
            Err(error) => error.into(),
        }
    }
}

/// What a body says.
enum Read {
    Uplink(Arrival),
    Ignored { reason: String },
}

/// An uplink that was read and is the sender's.
struct Arrival {
    uplink: Uplink,
    time_replaced: bool,
    received_at: Timestamp,
    visit: Visit,
    places: Places,
}

fn encoded(record: &Record) -> Result<Payload, StoreError> {
    record.encode().map_err(|error| StoreError::Broken(error.to_string()))
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
