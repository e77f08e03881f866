//! An uplink, and the envelope it comes in.

use std::borrow::Cow;

use weir_domain::{Eui, Name, Position, Reading};

use crate::error::{FieldError, Rejection};
use crate::findings::Findings;
use crate::format::Format;

/// What a meter said.
#[derive(Debug, Clone, PartialEq)]
pub struct Uplink {
    /// Whose payload it was.
    pub format: Format,
    /// The device.
    pub eui: Eui,
    /// What the network server calls the device.
    pub device_name: Option<Name>,
    /// Where the device says it is.
    pub position: Position,
    /// The readings in the order of the payload; at least one. Their times are as the payload has
    /// them, plausible or not.
    pub readings: Vec<Reading>,
    /// Whether the network server only pretended that the device sent it.
    pub simulated: bool,
}

/// A body of a known format. What is wrong inside comes out stage by stage: the tenant first, for it
/// decides whether the rest is the sender's to know.
#[derive(Debug)]
pub struct Envelope<'a> {
    format: Format,
    draft: Draft<'a>,
    findings: Findings,
}

/// What could be read of an uplink. A required value that is not here is among the findings.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(crate) tenant: Option<Cow<'a, str>>,
    pub(crate) eui: Option<Eui>,
    pub(crate) device_name: Option<Name>,
    pub(crate) position: Position,
    pub(crate) readings: Vec<Reading>,
    pub(crate) simulated: bool,
}

impl<'a> Envelope<'a> {
    pub(crate) const fn new(format: Format, draft: Draft<'a>, findings: Findings) -> Self {
        Self { format, draft, findings }
    }

    /// Whose payload it is.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The name of the tenant, as it is written. Where there is none, every offending field of the
    /// body.
    pub fn tenant(&self) -> Result<&str, Vec<FieldError>> {
        let tenant = self.draft.tenant.as_deref();
        tenant.ok_or_else(|| self.findings.errors().to_vec())
    }

    /// The uplink. A malformed EUI is told before any other field, but not before the tenant.
    pub fn uplink(self) -> Result<Uplink, Rejection> {
        let Self { format, draft, findings } = self;
        if let (Some(_), Some(error)) = (&draft.tenant, findings.malformed_eui()) {
            return Err(Rejection::InvalidEui(error.clone()));
        }
        match draft.eui {
            Some(eui) if findings.errors().is_empty() => Ok(Uplink {
                format,
                eui,
                device_name: draft.device_name,
                position: draft.position,
                readings: draft.readings,
                simulated: draft.simulated,
            }),
            _ => Err(Rejection::Fields(findings.into_errors())),
        }
    }
}
