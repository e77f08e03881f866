//! End users: the people whom devices are assigned to.

use crate::{CustomerId, EndUserId, Name, Timestamp};

/// An end user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndUser {
    /// Its id.
    pub id: EndUserId,
    /// Its name.
    pub name: Name,
    /// Where to write to; need not be unique.
    pub email: Option<String>,
    /// The customer it belongs to.
    pub customer: Option<CustomerId>,
    /// When it was created.
    pub created_at: Timestamp,
}
