//! `GET /devices/{device}/readings`: what a device sent on a day.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, RawQuery, State};
use jiff::civil::Date;
use weir_app::AppResult;
use weir_app::devices::{self, DeviceRef};
use weir_domain::{Calendar, Device, Reading, Timestamp};
use weir_store::{ReadTx, Span};

use super::facts;
use crate::forms::Fields;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::device as text;
use crate::visitor::Visitor;
use crate::{Dashboard, format};

/// How many readings are shown of a day: one for each minute, and no page without end.
const MOST: usize = 1_440;

/// A reading.
pub struct Line {
    time: String,
    value: String,
    battery: String,
}

/// The page.
#[derive(Template)]
#[template(path = "device/readings.html")]
pub struct ReadingsPage {
    frame: Frame,
    device: String,
    name: String,
    day: String,
    zone: String,
    before: Option<String>,
    after: Option<String>,
    lines: Vec<Line>,
    more: Option<String>,
}

/// Shows the readings of a day, today's where none is asked for. Days are those of the device.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(device): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Shown<ReadingsPage>, Problem> {
    let named = super::named(&device)?;
    let fields = Fields::parse(query.unwrap_or_default().as_bytes());
    let asked: Option<Date> = match fields.filled("day") {
        None => None,
        Some(day) => Some(day.parse().map_err(|_| Problem::NotFound)?),
    };
    let now = dashboard.env.now();
    let seen = dashboard.db.read(&visitor.caller.scope, move |tx| look(tx, named, asked, now));
    let Seen { device: found, calendar, day, readings } = seen.await?;
    let hidden = readings.len().saturating_sub(MOST);
    let lines = readings.iter().rev().take(MOST).map(|reading| Line {
        time: calendar.clocks_at(reading.time).strftime("%H:%M:%S").to_string(),
        value: format::volume(reading.volume),
        battery: reading.battery.map(facts::volts).unwrap_or_default(),
    });
    let today = calendar.day_of(now);
    Ok(Shown(ReadingsPage {
        frame: visitor.frame(),
        device,
        name: found.name.into(),
        day: format::day(day),
        zone: text::days_of(calendar.name()),
        before: day.yesterday().ok().map(|day| day.to_string()),
        after: day.tomorrow().ok().filter(|next| *next <= today).map(|day| day.to_string()),
        lines: lines.collect(),
        more: (hidden > 0).then(|| text::more(hidden)),
    }))
}

struct Seen {
    device: Device,
    calendar: Calendar,
    day: Date,
    readings: Vec<Reading>,
}

fn look(
    tx: &mut dyn ReadTx,
    device: DeviceRef,
    asked: Option<Date>,
    now: Timestamp,
) -> AppResult<Seen> {
    let device = devices::find_even_deleted(tx, device)?;
    let calendar = devices::calendar_of(tx, device.customer)?;
    let day = asked.unwrap_or_else(|| calendar.day_of(now));
    let (from, until) = (calendar.start_of(day), calendar.end_of(day));
    let mut readings = tx.readings_with_opening(Span { device: device.key, from, until })?;
    readings.retain(|reading| reading.time >= from);
    Ok(Seen { device, calendar, day, readings })
}
