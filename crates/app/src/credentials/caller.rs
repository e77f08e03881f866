//! Who is asking, as authentication found out.

use weir_domain::Reseller;
use weir_domain::member::{Member, Role};
use weir_domain::name::TenantNames;
use weir_store::Scope;

/// Who is asking.
#[derive(Debug)]
pub struct Caller {
    /// What they may see and touch.
    pub scope: Scope,
    /// Their reseller.
    pub reseller: Reseller,
    /// The names that payloads may call it by.
    pub tenant_names: TenantNames,
    /// Which of its members they are, where they signed in; none for an API key.
    pub member: Option<Member>,
}

impl Caller {
    /// Whoever has that API key of a reseller.
    pub(super) fn with_key(reseller: Reseller, name: &str) -> Self {
        Self::granted(reseller, name, None)
    }

    /// A member of a reseller who has proven to be that. Only authentication calls this.
    pub fn signed_in(reseller: Reseller, member: Member) -> Self {
        let actor = member.identity.to_string();
        Self::granted(reseller, &actor, Some(member))
    }

    #[expect(clippy::disallowed_methods, reason = "this is authentication: it alone grants scopes")]
    fn granted(reseller: Reseller, actor: &str, member: Option<Member>) -> Self {
        Self {
            scope: Scope::granted(reseller.id, actor),
            tenant_names: TenantNames::of(reseller.tenant_keys()),
            reseller,
            member,
        }
    }

    /// What they may do. An API key may do everything.
    pub fn role(&self) -> Role {
        self.member.as_ref().map_or(Role::Admin, |member| member.role)
    }
}
