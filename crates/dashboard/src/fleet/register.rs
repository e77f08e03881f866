//! `/devices/register`: one more device.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use weir_app::devices::{self, DeviceRef, Recipients, Registration};
use weir_app::{AppError, AppResult, Env};
use weir_domain::{Device, Eui, Name, Refusal};
use weir_store::{Scope, WriteTx};

use super::belonging::{CUSTOMER, END_USER, Named};
use crate::Dashboard;
use crate::flash::Flash;
use crate::format;
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
    customer: String,
    end_user: String,
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
    // What is repeated of a field is no longer than anything that it can mean.
    let text = |name| format::cut(fields.text(name), Name::MAX_CHARACTERS + 1);
    RegisterPage {
        frame: editor.frame(),
        dev_eui: text("dev_eui"),
        name: text("name"),
        parent: text("parent_dev_eui"),
        customer: text(CUSTOMER),
        end_user: text(END_USER),
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
    let recipients = recipients(&editor, &dashboard, &fields, &mut complaints).await?;
    let read = read(&fields, &mut complaints).zip(recipients);
    let Some(((registration, parent), to)) = read else {
        let page = page(&editor, &fields, complaints);
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response());
    };
    let (scope, env) = (editor.caller.scope.clone(), dashboard.env.clone());
    let registered = dashboard.db.write(&editor.caller.scope, move |tx| {
        add(tx, &scope, &env, registration.clone(), parent, to)
    });
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
        Refusal::CustomerNotFound => complaints.add(CUSTOMER, &refusal),
        Refusal::UserNotFound => complaints.add(END_USER, &refusal),
        _ => complaints.add("", &refusal),
    }
    let page = page(&editor, &fields, complaints);
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response())
}

/// For whom it is registered, as the form has them.
async fn recipients(
    editor: &Editor,
    dashboard: &Dashboard,
    fields: &Fields,
    complaints: &mut Complaints,
) -> Result<Option<Recipients>, Problem> {
    let text = |name| fields.filled(name).unwrap_or_default().to_owned();
    let (customer, end_user) = (text(CUSTOMER), text(END_USER));
    let named = dashboard.db.read(&editor.caller.scope, move |tx| {
        let written = [(customer.as_str(), end_user.as_str())];
        let named = Named::look_up(tx, written.into_iter())?;
        Ok::<_, AppError>(named.recipients(&customer, &end_user))
    });
    let wrong = match named.await? {
        Ok(recipients) => return Ok(Some(recipients)),
        Err(wrong) => wrong,
    };
    wrong.iter().for_each(|(field, reason)| complaints.add(field, reason));
    Ok(None)
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

/// Registers a device below the one that goes by an EUI, for those whose it is to be. Import does the
/// same with each row.
pub(super) fn add(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    mut registration: Registration,
    parent: Option<Eui>,
    to: Recipients,
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
    devices::register_for(tx, scope, env, &registration, to)
}
