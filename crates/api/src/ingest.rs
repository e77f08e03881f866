//! `POST /api/v1/ingest/water-consumption`

mod answer;
mod payload;
mod rate_limit;
mod refusal;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use weir_app::credentials::Caller;
use weir_domain::Timestamp;
use weir_ingest::{Sender, Taken};

use crate::Service;
use crate::auth::KeyCaller;
use crate::body::receive_json;
use crate::error::{ApiError, codes};
use crate::openapi::Errors;
use crate::query::{FromQuery, Query, QueryFields};
use answer::IngestionAnswer;
use payload::Uplink;
use rate_limit::RateLimit;

/// The largest body: 256 KiB.
const LIMIT: usize = 256 * 1024;

/// What ChirpStack says it posts.
#[derive(Debug, Default, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Event {
    /// The event that ChirpStack posts; anything but `up` is answered 200 and ignored.
    #[param(example = "up")]
    event: Option<String>,
}

impl FromQuery for Event {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        Some(Self { event: fields.optional("event", |text| Ok(text.to_owned())) })
    }
}

/// Ingest an uplink
///
/// Takes the uplinks of ChirpStack v4 and The Things Stack v3 and tells them apart by their keys. The
/// answer 200 means that the reading is on disk. What the servers also post (joins, acknowledgements,
/// …) is answered 200 and ignored. An uplink of a device that is not registered is answered 404 and
/// remembered. One whose tenant name is not the caller's is answered 403, with the names that are in
/// `details.tenant_names`. A sender with too many uplinks under way is answered 503 with `Retry-After`,
/// before anybody else is.
#[utoipa::path(
    post,
    path = "/api/v1/ingest/water-consumption",
    operation_id = "ingest_water_consumption",
    tag = "ingestion",
    security(("api_key" = [])),
    params(Event),
    request_body = Uplink,
    responses(Errors<(
        codes::InvalidPayloadFormat,
        codes::InvalidDeviceId,
        codes::TenantMismatch,
        codes::DeviceNotFound,
        codes::RateLimitExceeded,
    )>),
    extensions(("x-example" = json!({
        "message": "The reading is stored."
    }))),
)]
pub async fn ingest(
    KeyCaller(caller): KeyCaller,
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<IngestionAnswer, ApiError> {
    let now = service.env.now();
    let outcome = take(&service, &caller, request, now).await;
    let headers = RateLimit::of(service.intake.standing(&caller.scope, now));
    match outcome {
        Ok(taken) => Ok(IngestionAnswer::of(taken, headers)),
        Err(error) => Err(headers.on(error)),
    }
}

/// The quota is looked at before the request is, since past it every request is refused alike.
async fn take(
    service: &Service,
    caller: &Caller,
    request: Request,
    now: Timestamp,
) -> Result<Taken, ApiError> {
    let refused = |reason| refusal::error(reason, &caller.tenant_names, now);
    let admission = service.intake.admit(&caller.scope, now).await.map_err(refused)?;
    let (mut parts, body) = request.into_parts();
    let Query(Event { event }) = Query::from_request_parts(&mut parts, &()).await?;
    let body = receive_json(Request::from_parts(parts, body), LIMIT).await?;
    let sender = Sender { scope: &caller.scope, tenant_names: &caller.tenant_names };
    let taken = service.intake.take(admission, sender, event.as_deref(), body).await;
    taken.map_err(refused)
}
