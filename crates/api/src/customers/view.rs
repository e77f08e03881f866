//! A customer as callers see it.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use weir_domain::Timestamp;
use weir_store::CountedCustomer;

/// A customer.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Customer)]
pub struct CustomerView {
    /// The customer's UUID.
    #[schema(example = "0198c5a4-7f7e-7c3e-9a54-0d6f3f1f5a12")]
    id: Uuid,
    /// Its name.
    #[schema(example = "Riverside Community")]
    name: String,
    /// Where to write to.
    #[schema(example = "office@riverside.example.org")]
    email: Option<String>,
    /// Where to call.
    #[schema(example = "+31 20 555 0123")]
    phone: Option<String>,
    /// Where it is.
    #[schema(example = "Quay 1, Amsterdam")]
    address: Option<String>,
    /// The IANA name of the time zone whose days are its days; where it is null, the reseller's are.
    #[schema(example = "Europe/Amsterdam")]
    timezone: Option<String>,
    /// How many live devices have it as their effective customer.
    #[schema(example = 12)]
    device_count: u64,
    /// How many end users belong to it.
    #[schema(example = 9)]
    end_user_count: u64,
    /// When it was created.
    #[schema(value_type = String, format = DateTime, example = "2026-03-28T08:00:00+00:00")]
    created_at: Timestamp,
}

impl CustomerView {
    /// What a customer shows.
    pub fn of(counted: CountedCustomer) -> Self {
        let customer = counted.customer;
        Self {
            id: customer.id.uuid(),
            name: customer.name.into(),
            email: customer.email,
            phone: customer.phone,
            address: customer.address,
            timezone: customer.timezone,
            device_count: counted.devices,
            end_user_count: counted.end_users,
            created_at: customer.created_at,
        }
    }
}
