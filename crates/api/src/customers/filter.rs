//! The customer in a filter.

use weir_domain::CustomerId;
use weir_store::CustomerFilter;

use crate::error::ErrorCode;
use crate::fields::{Problems, text};

/// A customer's UUID, or `unassociated`. Anything else fits the schema of a text and makes no sense.
pub fn customer_filter(text: &str) -> Result<CustomerFilter, Problems> {
    if text == "unassociated" {
        return Ok(CustomerFilter::Unassociated);
    }
    let message = "must be a UUID or unassociated";
    text::uuid(text)
        .map(|id| CustomerFilter::Of(CustomerId::from_uuid(id)))
        .map_err(|_| Problems::one(ErrorCode::ValidationError, message))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_customer_is_one_or_none() {
        let id = Uuid::from_u128(7);
        let of = CustomerFilter::Of(CustomerId::from_uuid(id));
        assert_eq!(customer_filter(&id.to_string()), Ok(of));
        assert_eq!(customer_filter("unassociated"), Ok(CustomerFilter::Unassociated));
        for text in ["", "none", "Unassociated", &id.simple().to_string()] {
            let message = "must be a UUID or unassociated";
            let refused = Problems::one(ErrorCode::ValidationError, message);
            assert_eq!(customer_filter(text), Err(refused), "{text}");
        }
    }
}
