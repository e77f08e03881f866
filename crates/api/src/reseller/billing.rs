//! `GET /api/v1/reseller/billing`

use std::sync::Arc;

use axum::extract::State;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Serialize;
use utoipa::ToSchema;
use weir_app::resellers;
use weir_domain::billing::Bill;

use crate::Service;
use crate::auth::AnyCaller;
use crate::envelope::Success;
use crate::error::ApiError;

/// What a month costs with the devices that are active now.
#[derive(Debug, Serialize, ToSchema)]
pub struct BillingSummary {
    /// The tier.
    #[schema(example = "starter")]
    subscription_tier: String,
    /// How many devices count: live ones whose `is_active` is true.
    #[schema(example = 53)]
    active_devices: u64,
    /// How many devices the base cost covers.
    #[schema(example = 50)]
    included_devices: u64,
    /// How many devices are beyond these.
    #[schema(example = 3)]
    overage_devices: u64,
    /// What the tier costs.
    #[schema(example = 49.0)]
    base_cost: f64,
    /// What the devices beyond it cost.
    #[schema(example = 2.7)]
    overage_cost: f64,
    /// Both together.
    #[schema(example = 51.7)]
    total_cost: f64,
    /// The currency of the costs.
    #[schema(example = "EUR")]
    currency: String,
}

impl BillingSummary {
    /// What is shown of a bill.
    fn of(bill: Bill) -> Option<Self> {
        // The double nearest to an amount of cents prints as that amount.
        let number = |amount: Decimal| amount.to_f64();
        Some(Self {
            subscription_tier: bill.tier,
            active_devices: bill.active_devices,
            included_devices: bill.included_devices,
            overage_devices: bill.overage_devices,
            base_cost: number(bill.base_cost)?,
            overage_cost: number(bill.overage_cost)?,
            total_cost: number(bill.total_cost)?,
            currency: bill.currency,
        })
    }
}

/// Get the billing summary
///
/// Devices that are soft-deleted or not active are not counted.
#[utoipa::path(
    get,
    path = "/api/v1/reseller/billing",
    operation_id = "get_billing",
    tag = "reseller",
    security(("api_key" = []), ("bearer" = [])),
)]
pub async fn billing(
    AnyCaller(caller): AnyCaller,
    State(service): State<Arc<Service>>,
) -> Result<Success<BillingSummary>, ApiError> {
    let tiers = service.tiers.clone();
    let bill = service.db.read(&caller.scope, move |tx| resellers::bill(tx, &tiers)).await?;
    let summary = bill.and_then(BillingSummary::of).ok_or_else(|| {
        tracing::error!(reseller = %caller.scope.reseller(), "the tier of this reseller is not configured");
        ApiError::internal()
    })?;
    Ok(Success::of(summary))
}
