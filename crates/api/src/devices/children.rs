//! `GET /api/v1/devices/{device_id}/children`

use std::sync::Arc;

use axum::extract::State;
use utoipa::IntoParams;
use weir_app::devices;

use super::DeviceWithOwner;
use crate::Service;
use crate::auth::KeyCaller;
use crate::envelope::{List, Success};
use crate::error::{ApiError, codes};
use crate::fields::text;
use crate::openapi::Errors;
use crate::path::DevicePath;
use crate::query::{FromQuery, Query, QueryFields};

/// How far down.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Depth {
    /// False: only direct children. True: all descendants, at every depth.
    #[param(default = false, required = false)]
    include_descendants: bool,
}

impl FromQuery for Depth {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let include_descendants = fields.optional("include_descendants", text::boolean);
        Some(Self { include_descendants: include_descendants.unwrap_or(false) })
    }
}

/// List the children of a device
///
/// Only live ones, by level and newest first. The device itself may be soft-deleted, and so may
/// devices between it and its descendants.
#[utoipa::path(
    get,
    path = "/api/v1/devices/{device_id}/children",
    operation_id = "list_children",
    tag = "devices",
    security(("api_key" = [])),
    params(("device_id" = String, Path, description = "UUID or EUI of the device", example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a10"), Depth),
    responses(Errors<codes::DeviceNotFound>),
)]
pub async fn children(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    DevicePath(device): DevicePath,
    Query(Depth { include_descendants }): Query<Depth>,
) -> Result<Success<List<DeviceWithOwner>>, ApiError> {
    let found = service
        .db
        .read(&caller.scope, move |tx| devices::children(tx, device, include_descendants));
    let (found, now) = (found.await?, service.env.now());
    Ok(Success::of(found.iter().map(|device| DeviceWithOwner::of(device, now)).collect()))
}
