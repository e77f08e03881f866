//! An end user as callers see it.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_domain::{CustomerId, Timestamp};
use weir_store::CountedEndUser;

/// An end user.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = EndUser)]
pub struct EndUserView {
    /// The end user's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a13")]
    id: Uuid,
    /// Its name.
    #[schema(example = "Ada Lovelace")]
    name: String,
    /// Where to write to.
    #[schema(example = "ada@example.org")]
    email: Option<String>,
    /// The customer it belongs to.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    customer_id: Option<Uuid>,
    /// How many live devices are assigned to it.
    #[schema(example = 1)]
    device_count: u64,
    /// When it was created.
    #[schema(value_type = String, format = DateTime, example = "2026-03-28T08:00:00+00:00")]
    created_at: Timestamp,
}

impl EndUserView {
    /// What an end user shows.
    pub fn of(counted: CountedEndUser) -> Self {
        let end_user = counted.end_user;
        Self {
            id: end_user.id.uuid(),
            name: end_user.name.into(),
            email: end_user.email,
            customer_id: end_user.customer.map(CustomerId::uuid),
            device_count: counted.devices,
            created_at: end_user.created_at,
        }
    }
}
