//! `/devices/register`: one more device.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::devices::{self, DeviceRef, Registration};
use weir_app::{AppError, AppResult, Env};
use weir_domain::{Device, Eui, Name, Refusal};
use weir_store::{Scope, WriteTx};

use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Complaints, Fields, Form};
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::register as text;
use crate::visitor::Editor;

/// The page.
#[derive(Template)]
#[template(path = "fleet/register.html")]
pub struct RegisterPage {
    frame: Frame,
    dev_eui: String,
    name: String,
    parent: String,
    is_principal: bool,
    adopts: bool,
    complaints: Complaints,
}

/// Shows the form.
pub async fn form(editor: Editor) -> Shown<RegisterPage> {
    let blank = Fields::parse(b"adopt_readings=on");
    Shown(page(&editor, &blank, Complaints::default()))
}

fn page(editor: &Editor, fields: &Fields, complaints: Complaints) -> RegisterPage {
    RegisterPage {
        frame: editor.frame(),
        dev_eui: fields.text("dev_eui").to_owned(),
        name: fields.text("name").to_owned(),
        parent: fields.text("parent_dev_eui").to_owned(),
        is_principal: fields.is_ticked("is_principal"),
        adopts: fields.is_ticked("adopt_readings"),
        complaints,
    }
}

/// Registers a device.
pub async fn register(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let mut complaints = Complaints::default();
    let Some((registration, parent)) = read(&fields, &mut complaints) else {
        let page = page(&editor, &fields, complaints);
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response());
    };
    let (scope, env) = (editor.caller.scope.clone(), dashboard.env.clone());
    let registered = dashboard
        .db
        .write(&editor.caller.scope, move |tx| add(tx, &scope, &env, registration.clone(), parent));
    let refusal = match registered.await {
        Ok(device) => {
            let told = Flash::success(text::registered(device.name.as_str()));
            return dashboard.send_on(&format!("/devices/{}", device.id), told);
        }
        Err(AppError::Refused(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    match refusal {
        Refusal::DeviceAlreadyExists(_) => complaints.add("dev_eui", &refusal),
        Refusal::ParentDeviceNotFound | Refusal::HierarchyTooDeep => {
            complaints.add("parent_dev_eui", &refusal);
        }
        _ => complaints.add("", &refusal),
    }
    let page = page(&editor, &fields, complaints);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response())
}

fn read(fields: &Fields, complaints: &mut Complaints) -> Option<(Registration, Option<Eui>)> {
    let dev_eui = complaints.read("dev_eui", Eui::parse(fields.text("dev_eui").trim()));
    let name = complaints.read("name", Name::parse(fields.text("name")));
    let parent = fields.filled("parent_dev_eui").map(Eui::parse).transpose();
    let parent = complaints.read("parent_dev_eui", parent);
    let registration = Registration {
        dev_eui: dev_eui?,
        name: name?,
        parent: None,
        is_principal: fields.is_ticked("is_principal"),
        adopt_readings: fields.is_ticked("adopt_readings"),
    };
    Some((registration, parent?))
}

/// Registers a device below the one that goes by an EUI. Import does the same with each row.
pub(super) fn add(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    mut registration: Registration,
    parent: Option<Eui>,
) -> AppResult<Device> {
    if let Some(eui) = parent {
        let parent = match devices::find(tx, DeviceRef::Eui(eui)) {
            Err(AppError::Refused(Refusal::DeviceNotFound)) => {
                return Err(Refusal::ParentDeviceNotFound.into());
            }
            found => found?,
        };
        registration.parent = Some(parent.id);
    }
    devices::register(tx, scope, env, &registration)
}
