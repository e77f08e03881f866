//! `POST /api/v1/customers/{id}/register-unregistered-devices`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use weir_app::credentials::Caller;
use weir_app::sightings::{self, Intended};
use weir_domain::{CustomerId, Eui, Name, Refusal, Timestamp};

use crate::Service;
use crate::auth::Editor;
use crate::body::{BodyFields, FromBody, Json};
use crate::devices::DeviceWithOwner;
use crate::envelope::Success;
use crate::error::{ApiError, codes};
use crate::fields::{Problems, json, text};
use crate::openapi::Errors;
use crate::path::IdPath;

/// How many EUIs may be named, and how many are registered in one transaction: what is named is
/// registered in one, and all that is remembered does not keep others waiting for long.
const AT_ONCE: usize = 1000;

/// Which unregistered devices to register, and how to name them.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "the schema of what `Chosen` is read from")]
pub struct RegisterUnregistered {
    /// The EUIs; one that is repeated counts once. Without them, all that are remembered.
    #[schema(min_items = 1, max_items = 1000, required = false, nullable = false, example = json!(["70b3d57ed02a3654"]))]
    dev_euis: Option<Vec<String>>,
    /// What the names of the devices begin with.
    #[schema(max_length = 255, required = false, nullable = false, example = "Riverside ")]
    name_prefix: Option<String>,
}

/// What is read of it.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    dev_euis: Option<Vec<Eui>>,
    name_prefix: String,
}

impl FromBody for Chosen {
    fn from_body(fields: &mut BodyFields<'_>) -> Option<Self> {
        let dev_euis = fields.optional("dev_euis", json::list(1..=AT_ONCE, json::eui));
        let name_prefix = fields.optional("name_prefix", prefix);
        Some(Self { dev_euis, name_prefix: name_prefix.unwrap_or_default() })
    }
}

/// What a name may begin with: what a name may be, but also nothing.
fn prefix(value: &Value) -> Result<String, Problems> {
    let prefix = json::string(text::any(Name::MAX_CHARACTERS))(value)?;
    if prefix.chars().any(char::is_control) {
        return Err("must not contain control characters".into());
    }
    Ok(prefix)
}

/// What became of unregistered devices.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct RegisteredDevices {
    /// How many were registered.
    #[schema(example = 1)]
    registered_count: usize,
    /// The new devices, with what they adopted.
    devices: Vec<DeviceWithOwner>,
    /// The EUIs that were not registered.
    failed: Vec<FailedEui>,
}

/// An EUI that was not registered.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedEui {
    /// The EUI.
    #[schema(example = "70b3d57ed02a3655")]
    dev_eui: String,
    /// An error code.
    #[schema(value_type = String, example = "DEVICE_NOT_FOUND")]
    error: &'static str,
    /// Why not, in a sentence.
    #[schema(example = "No such device.")]
    message: String,
}

impl FailedEui {
    fn of(dev_eui: Eui, error: &'static str, message: String) -> Self {
        Self { dev_eui: dev_eui.to_string(), error, message }
    }
}

/// Register unregistered devices for a customer
///
/// All that are remembered, or those that are named. They are named by the prefix and the device name
/// in their uplinks, else their EUI, and adopt what was remembered of them: readings, device name,
/// battery, times and message count. They are `online`. A named EUI that is not remembered fails with
/// `DEVICE_NOT_FOUND`, one that a live device has with `DEVICE_ALREADY_EXISTS`.
///
/// Named ones are registered in one transaction. All that are remembered are registered 1000 at a
/// time; should the service be interrupted between, the rest fails with `SERVICE_UNAVAILABLE`, stays
/// remembered and can be registered by the same request.
#[utoipa::path(
    post,
    path = "/api/v1/customers/{id}/register-unregistered-devices",
    operation_id = "register_unregistered_devices",
    tag = "customers",
    security(("api_key" = []), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "UUID of the customer", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")),
    request_body = Option<RegisterUnregistered>,
    responses(Errors<codes::CustomerNotFound>),
    extensions(("x-example" = json!({
        "message": "1 device(s) registered, 1 failed.",
        "data": { "devices": [{
            "name": "Riverside meter-b1-main",
            "parent_device_id": null,
            "hierarchy_level": 0,
            "end_user_id": null
        }] }
    }))),
)]
pub async fn register_unregistered(
    Editor(caller): Editor,
    State(service): State<Arc<Service>>,
    IdPath(id): IdPath,
    chosen: Option<Json<Chosen>>,
) -> Result<Success<RegisteredDevices>, ApiError> {
    let customer = CustomerId::from_uuid(id);
    let Chosen { dev_euis, name_prefix } = chosen.map(|Json(chosen)| chosen).unwrap_or_default();
    let is_named = dev_euis.is_some();
    let euis = match dev_euis {
        Some(euis) => euis,
        None => {
            let all = service.db.read(&caller.scope, move |tx| sightings::remembered(tx, customer));
            all.await?
        }
    };
    let intended = Intended { customer, name_prefix };
    let mut outcome = register(&service, &caller, &intended, &euis).await?;
    if !is_named {
        // What somebody else registered in the meantime was nobody's wish by name.
        outcome.failed.retain(|failed| failed.error != Refusal::DeviceNotFound.code());
    }
    outcome.registered_count = outcome.devices.len();
    let message = match outcome.failed.len() {
        0 => format!("{} device(s) registered.", outcome.registered_count),
        failed => format!("{} device(s) registered, {failed} failed.", outcome.registered_count),
    };
    Ok(Success::of(outcome).with_message(message))
}

/// Registers EUIs chunk by chunk. Once a chunk is registered, what goes wrong with a later one is told
/// beside what was done.
async fn register(
    service: &Service,
    caller: &Caller,
    intended: &Intended,
    euis: &[Eui],
) -> Result<RegisteredDevices, ApiError> {
    let mut outcome = RegisteredDevices::default();
    for chunk in euis.chunks(AT_ONCE) {
        match register_chunk(service, caller, intended, chunk, &mut outcome).await {
            Ok(()) => {}
            Err(error) if outcome.devices.is_empty() => return Err(error),
            Err(error) => {
                let (code, message) = (error.code().as_str(), error.message());
                let failed = chunk.iter().map(|&eui| FailedEui::of(eui, code, message.to_owned()));
                outcome.failed.extend(failed);
            }
        }
    }
    Ok(outcome)
}

async fn register_chunk(
    service: &Service,
    caller: &Caller,
    intended: &Intended,
    chunk: &[Eui],
    outcome: &mut RegisteredDevices,
) -> Result<(), ApiError> {
    let (scope, env) = (caller.scope.clone(), service.env.clone());
    let (intended, chunk) = (intended.clone(), chunk.to_vec());
    let registered = service
        .db
        .write(&caller.scope, move |tx| sightings::register(tx, &scope, &env, &intended, &chunk));
    let (registered, now): (_, Timestamp) = (registered.await?, service.env.now());
    let shown = registered.devices.iter().map(|device| DeviceWithOwner::of(device, now));
    outcome.devices.extend(shown);
    let failed = registered.failed.into_iter();
    let failed = failed.map(|(eui, why)| FailedEui::of(eui, why.code(), why.to_string()));
    outcome.failed.extend(failed);
    Ok(())
}
