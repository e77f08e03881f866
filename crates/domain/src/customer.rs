//! Customers of a reseller: communities whose people are its end users.

use crate::{CustomerId, Name, Timestamp};

/// A customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Its id.
    pub id: CustomerId,
    /// Its name.
    pub name: Name,
    /// Where to write to.
    pub email: Option<String>,
    /// Where to call.
    pub phone: Option<String>,
    /// Where it is.
    pub address: Option<String>,
    /// The IANA name of the time zone whose days are its days; else the reseller's are.
    pub timezone: Option<String>,
    /// When it was created.
    pub created_at: Timestamp,
}
