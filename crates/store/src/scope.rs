//! Who a transaction is for.

use weir_domain::ResellerId;

/// Proof that a request was authenticated for one reseller. Every transaction below it can see and
/// touch that reseller alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    reseller: ResellerId,
    actor: String,
}

impl Scope {
    /// Grants a scope. Only authentication calls this (`clippy.toml` bans it elsewhere): everyone
    /// else receives a scope and passes it on.
    pub fn granted(reseller: ResellerId, actor: impl Into<String>) -> Self {
        Self { reseller, actor: actor.into() }
    }

    /// The reseller it opens.
    pub const fn reseller(&self) -> ResellerId {
        self.reseller
    }

    /// Who acts: the name of the API key, or the e-mail of the signed-in user.
    pub fn actor(&self) -> &str {
        &self.actor
    }
}

/// Why a transaction may look beyond one reseller. There is no other reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Finding out whose a credential is, and noting that it was used.
    Authenticate,
    /// Signing people in and out.
    SignIn,
    /// Moving spooled uplinks of all resellers into the store.
    Settle,
    /// The same where nobody waits for it: whatever else there is to do comes first.
    SettleAtLeisure,
    /// An operator's command, or a member's change of what no two resellers share: keys and names.
    Administer,
}

impl Purpose {
    /// Whether uplinks are moved into the store, urgently or not.
    pub const fn is_settling(self) -> bool {
        matches!(self, Self::Settle | Self::SettleAtLeisure)
    }
}
