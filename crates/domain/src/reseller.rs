//! Resellers: the tenants.

use crate::{Name, ResellerId, Timestamp};

/// A reseller.
#[derive(Debug, Clone, PartialEq)]
pub struct Reseller {
    /// Its id.
    pub id: ResellerId,
    /// Its name.
    pub name: Name,
    /// The slug made from its name.
    pub slug: String,
    /// Other names that payloads may call it by.
    pub aliases: Vec<Name>,
    /// Its subscription tier.
    pub tier: String,
    /// How many uplinks a month may hold.
    pub monthly_quota: i64,
    /// The IANA name of the time zone whose days are its days.
    pub timezone: String,
    /// Set while it is being deleted: its keys no longer open anything.
    pub is_closing: bool,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Reseller {
    /// Every name that a payload may call it by, in the form in which tenant names are compared,
    /// each once.
    pub fn tenant_keys(&self) -> Vec<String> {
        let names = [self.name.as_str(), &self.slug];
        let aliases = self.aliases.iter().map(Name::as_str);
        let mut keys: Vec<String> =
            names.into_iter().chain(aliases).map(crate::name::tenant_key).collect();
        keys.sort();
        keys.dedup();
        keys
    }
}
