//! Which devices of the fleet are asked for.

use utoipa::IntoParams;
use uuid::Uuid;
use weir_app::devices::DeviceQuery;
use weir_domain::first_seen::FirstSeen;
use weir_domain::{CustomerId, Status};
use weir_store::{CustomerFilter, DeviceOrder};

use crate::error::ErrorCode;
use crate::fields::{Problems, text};
use crate::query::{FromQuery, QueryFields};

/// How long a text to search for may be: as long as a name.
const SEARCH: usize = weir_domain::Name::MAX_CHARACTERS;

/// Of which customer.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CustomerQuery {
    /// Only devices of the customer with this UUID.
    #[param(required = false, nullable = false)]
    customer_id: Option<Uuid>,
    /// A customer's UUID: only devices that belong to it, through their end user or by themselves; or
    /// `unassociated`: only devices of no customer.
    #[param(value_type = String, required = false, example = "unassociated")]
    customer: Option<Customer>,
}

#[derive(Debug, Clone, Copy)]
struct Customer(CustomerFilter);

impl FromQuery for CustomerQuery {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let customer_id = fields.optional("customer_id", text::uuid);
        let customer = fields.optional("customer", keyword(customer));
        Some(Self { customer_id, customer })
    }
}

impl CustomerQuery {
    /// The filters, each of which has to hold.
    pub fn filters(&self) -> Vec<CustomerFilter> {
        let by_id = self.customer_id.map(|id| CustomerFilter::Of(CustomerId::from_uuid(id)));
        by_id.into_iter().chain(self.customer.map(|Customer(filter)| filter)).collect()
    }
}

/// Which live devices; everything that is given has to hold.
#[derive(Debug, Clone, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FleetQuery {
    /// True: only principal meters. False: only others.
    #[param(required = false, nullable = false)]
    is_principal: Option<bool>,
    /// `assigned`: only devices with an end user. `unassigned`: only those without one.
    #[param(value_type = String, required = false, example = "assigned")]
    user: Option<bool>,
    /// When the first message came: `today`, `week` (the last 7 days), `month` (the last 30 days), or
    /// a date, which means on that day or later. Days are those of the reseller's time zone.
    #[param(value_type = String, required = false, example = "week")]
    first_seen: Option<FirstSeen>,
    /// A part of `dev_eui`, `device_name` or `name`, ignoring case.
    #[param(max_length = 255, required = false, nullable = false, example = "main")]
    search: Option<String>,
    /// `online`, `offline` or `maintenance`.
    #[param(value_type = String, required = false, example = "online")]
    status: Option<Status>,
}

impl FromQuery for FleetQuery {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let user = text::one_of(&[("assigned", true), ("unassigned", false)]);
        Some(Self {
            is_principal: fields.optional("is_principal", text::boolean),
            user: fields.optional("user", keyword(user)),
            first_seen: fields.optional("first_seen", keyword(parsed)),
            search: fields.optional("search", text::any(SEARCH)),
            status: fields.optional("status", keyword(parsed)),
        })
    }
}

impl FleetQuery {
    /// The devices that both queries ask for.
    pub fn and(self, customer: &CustomerQuery) -> DeviceQuery {
        DeviceQuery {
            is_principal: self.is_principal,
            customers: customer.filters(),
            is_assigned: self.user,
            first_seen: self.first_seen,
            search: self.search,
            status: self.status,
            order: DeviceOrder::NEWEST_FIRST,
        }
    }
}

/// A word that fits its schema as any text does; one that is not known makes no sense.
fn keyword<T>(read: impl Fn(&str) -> Result<T, Problems>) -> impl Fn(&str) -> Result<T, Problems> {
    text::refused_as(ErrorCode::ValidationError, read)
}

fn customer(text: &str) -> Result<Customer, Problems> {
    if text == "unassociated" {
        return Ok(Customer(CustomerFilter::Unassociated));
    }
    let of = |id| Customer(CustomerFilter::Of(CustomerId::from_uuid(id)));
    text::uuid(text).map(of).map_err(|_| "must be a UUID or unassociated".into())
}

fn parsed<T: std::str::FromStr<Err: ToString>>(text: &str) -> Result<T, Problems> {
    text.parse().map_err(|error: T::Err| error.to_string().into())
}
