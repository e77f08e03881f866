//! `/devices/{device}/edit`: what a person says about a device.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::devices::{self, DeviceChange};
use weir_domain::{Device, Name};

use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Complaints, Fields, Form};
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::device as text;
use crate::visitor::Editor;

/// The page.
#[derive(Template)]
#[template(path = "device/edit.html")]
pub struct EditPage {
    frame: Frame,
    device: String,
    name: String,
    device_name: String,
    is_principal: bool,
    is_active: bool,
    complaints: Complaints,
}

/// Shows the form.
pub async fn form(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(device): Path<String>,
) -> Result<Shown<EditPage>, Problem> {
    let named = super::named(&device)?;
    let found = dashboard.db.read(&editor.caller.scope, move |tx| devices::find(tx, named));
    let Device { name, telemetry, is_principal, is_active, .. } = found.await?;
    Ok(Shown(EditPage {
        frame: editor.frame(),
        device,
        name: name.into(),
        device_name: telemetry.device_name.map(Into::into).unwrap_or_default(),
        is_principal,
        is_active,
        complaints: Complaints::default(),
    }))
}

/// Saves it.
pub async fn save(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Path(device): Path<String>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let named = super::named(&device)?;
    let mut complaints = Complaints::default();
    let change = read(&fields, &mut complaints);
    if !complaints.is_empty() {
        let page = EditPage {
            frame: editor.frame(),
            device,
            name: fields.text("name").to_owned(),
            device_name: fields.text("device_name").to_owned(),
            is_principal: fields.is_ticked("is_principal"),
            is_active: fields.is_ticked("is_active"),
            complaints,
        };
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response());
    }
    let env = dashboard.env.clone();
    let updated = dashboard
        .db
        .write(&editor.caller.scope, move |tx| devices::update(tx, &env, named, &change));
    let saved = text::saved(updated.await?.name.as_str());
    dashboard.send_on(&format!("/devices/{device}"), Flash::success(saved))
}

fn read(fields: &Fields, complaints: &mut Complaints) -> DeviceChange {
    let device_name = fields.filled("device_name").map(Name::parse).transpose();
    DeviceChange {
        name: complaints.read("name", Name::parse(fields.text("name"))),
        device_name: complaints.read("device_name", device_name),
        parent: None,
        is_principal: Some(fields.is_ticked("is_principal")),
        is_active: Some(fields.is_ticked("is_active")),
    }
}
