//! End users.

use weir_domain::{CustomerId, EndUser, EndUserId};

use crate::{CustomerFilter, Page, StoreResult};

/// An end user with what is assigned to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedEndUser {
    /// The end user.
    pub end_user: EndUser,
    /// How many live devices are assigned to it.
    pub devices: u64,
}

/// Which end users are meant. All that is given has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndUserFilter {
    /// Of one customer, or of none.
    pub customer: Option<CustomerFilter>,
    /// A part of the name or e-mail, ignoring case; `%` and `_` are plain characters.
    pub search: Option<String>,
}

/// Reads end users of the transaction's reseller.
pub trait EndUserReads {
    /// The end user of that id.
    fn end_user_by_id(&mut self, id: EndUserId) -> StoreResult<Option<CountedEndUser>>;

    /// The end users of these ids, in any order; others are left out.
    fn end_users_by_ids(&mut self, ids: &[EndUserId]) -> StoreResult<Vec<EndUser>>;

    /// The end users who go by these names, ignoring case; in any order. Several may go by one.
    fn end_users_by_names(&mut self, names: &[&str]) -> StoreResult<Vec<EndUser>>;

    /// End users by name ignoring case, ties by id.
    fn end_users_page(
        &mut self,
        filter: &EndUserFilter,
        page: Page,
    ) -> StoreResult<Vec<CountedEndUser>>;

    /// How many are meant.
    fn end_users_count(&mut self, filter: &EndUserFilter) -> StoreResult<u64>;

    /// The end user of a customer that was created first, ties by id.
    fn end_user_first_of(&mut self, customer: CustomerId) -> StoreResult<Option<EndUser>>;
}

/// Changes end users of the transaction's reseller.
pub trait EndUserWrites {
    /// Inserts an end user.
    fn end_user_insert(&mut self, end_user: &EndUser) -> StoreResult<()>;

    /// Stores all fields of an end user but its id and creation time; whether it was there.
    fn end_user_update(&mut self, end_user: &EndUser) -> StoreResult<bool>;

    /// How many devices, soft-deleted ones too, are assigned to it. Nobody else assigns one until the
    /// transaction ends.
    fn end_user_references(&mut self, id: EndUserId) -> StoreResult<u64>;

    /// Deletes an end user whom no device is assigned to; whether it was there. Ownership records that
    /// name it stay.
    fn end_user_delete(&mut self, id: EndUserId) -> StoreResult<bool>;
}
