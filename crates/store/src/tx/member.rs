//! Members.

use weir_domain::MemberId;
use weir_domain::member::Member;
use weir_domain::person::Identity;

use crate::StoreResult;

/// Reads the members of the transaction's reseller.
pub trait MemberReads {
    /// All of them, oldest first, ties by id.
    fn members(&mut self) -> StoreResult<Vec<Member>>;

    /// The member of that id.
    fn member(&mut self, id: MemberId) -> StoreResult<Option<Member>>;

    /// The member who is known by that.
    fn member_known_by(&mut self, identity: &Identity) -> StoreResult<Option<Member>>;
}

/// Changes the members of the transaction's reseller. The same moment they are found, or found no more,
/// by [`SignInTx::memberships`](crate::SignInTx::memberships).
pub trait MemberWrites {
    /// Waits until nobody else who has called this is under way: what is read of members from now on
    /// stays so until the transaction ends, as far as they are deleted by those who call this too.
    fn lock_members(&mut self) -> StoreResult<()>;

    /// Inserts a member by whose identity nobody is known yet; false where somebody is.
    fn member_insert(&mut self, member: &Member) -> StoreResult<bool>;

    /// Deletes a member; whether it was there.
    fn member_delete(&mut self, id: MemberId) -> StoreResult<bool>;
}
