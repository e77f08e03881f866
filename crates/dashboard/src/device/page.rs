//! `GET /devices/{device}`: a device.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, RawQuery, State};
use weir_app::AppResult;
use weir_app::devices::{self, ConsumptionPerDay, DeviceRef, LastDays};
use weir_app::ownership::{self, History};
use weir_domain::{Device, EndUser, Timestamp, Volume};
use weir_store::ReadTx;

use super::consumption::{self, Consumption};
use super::facts::{self, Fact};
use super::owners::{Owner, owners};
use crate::forms::Fields;
use crate::frame::Frame;
use crate::part::Part;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::{device as text, fleet};
use crate::visitor::Visitor;
use crate::{Dashboard, format};

/// How many sub-meters are named; the hierarchy shows them all.
const CHILDREN: usize = 20;

/// Another device, as a link.
pub struct Link {
    id: String,
    name: String,
}

impl Link {
    fn to(device: &Device) -> Self {
        Self { id: device.id.to_string(), name: format::cell(device.name.as_str()) }
    }
}

/// The page.
#[derive(Template)]
#[template(path = "device/page.html")]
pub struct DevicePage {
    frame: Frame,
    id: String,
    name: String,
    is_principal: bool,
    status: &'static str,
    status_text: &'static str,
    deleted: Option<String>,
    consumption: Consumption,
    identity: Vec<Fact>,
    state: Vec<Fact>,
    path: Vec<Link>,
    children: Vec<Link>,
    more_children: Option<String>,
    /// The top of its tree; none where all of it is deleted.
    root: Option<String>,
    owners: Part<Owner>,
}

/// Shows a device, deleted or not.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(device): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Shown<DevicePage>, Problem> {
    let device = super::named(&device)?;
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let span = consumption::span(fields.filled(consumption::DAYS));
    let now = dashboard.env.now();
    let seen = dashboard.db.read(&visitor.caller.scope, move |tx| look(tx, device, span, now));
    Ok(Shown(seen.await?.shown(&visitor, &fields, span, now)))
}

/// Everything that is looked at for the page.
struct Seen {
    device: Device,
    consumed: ConsumptionPerDay,
    value: Option<Volume>,
    end_user: Option<EndUser>,
    /// From the top down.
    above: Vec<Device>,
    children: Vec<Device>,
    history: History,
}

fn look(tx: &mut dyn ReadTx, device: DeviceRef, span: u16, now: Timestamp) -> AppResult<Seen> {
    let device = devices::find_even_deleted(tx, device)?;
    let own = DeviceRef::Id(device.id);
    let asked = LastDays { count: span, calendar: None };
    let mut above: Vec<Device> = Vec::new();
    let mut parent = device.parent;
    while let Some(id) = parent {
        let Some(found) = tx.device_by_id(id)? else { break };
        parent = found.parent;
        above.insert(0, found);
    }
    let end_user = match device.end_user {
        Some(id) => tx.end_users_by_ids(&[id])?.pop(),
        None => None,
    };
    Ok(Seen {
        consumed: devices::consumption_per_day(tx, own, &asked, now)?,
        value: tx.volumes_newest(&[device.key], 1)?.into_iter().flatten().next(),
        end_user,
        above,
        children: devices::children(tx, own, false)?,
        history: ownership::history(tx, own, true)?,
        device,
    })
}

impl Seen {
    fn shown(&self, visitor: &Visitor, query: &Fields, span: u16, now: Timestamp) -> DevicePage {
        let (device, calendar) = (&self.device, &visitor.calendar);
        let status = device.status_at(now);
        let hidden = self.children.len().saturating_sub(CHILDREN);
        DevicePage {
            frame: visitor.frame(),
            id: device.id.to_string(),
            name: device.name.to_string(),
            is_principal: device.is_principal,
            status: status.as_str(),
            status_text: fleet::status(status),
            deleted: device.deleted_at.map(|at| text::deleted(&format::moment(calendar, at))),
            consumption: Consumption::of(&self.consumed, span),
            identity: facts::identity(device, self.end_user.as_ref(), calendar),
            state: facts::state(device, self.value, calendar),
            path: self.above.iter().map(Link::to).collect(),
            children: self.children.iter().take(CHILDREN).map(Link::to).collect(),
            more_children: (hidden > 0).then(|| text::more(hidden)),
            root: self
                .above
                .iter()
                .chain([device])
                .find(|device| device.is_live())
                .map(|device| device.id.to_string()),
            owners: owners(&self.history, calendar, &format!("/devices/{}", device.id), query),
        }
    }
}
