//! Members: who signs in for a reseller, and what they may do.

use std::fmt;

use crate::person::Identity;
use crate::{MemberId, Timestamp};

/// What a member may do. Where nothing is said it is everything, as with an API key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything.
    #[default]
    Admin,
    /// Look.
    Viewer,
}

/// The text names no role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be admin or viewer")]
pub struct NotARole;

impl Role {
    /// Reads a role.
    pub fn parse(text: &str) -> Result<Self, NotARole> {
        [Self::Admin, Self::Viewer].into_iter().find(|role| role.as_str() == text).ok_or(NotARole)
    }

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Viewer => "viewer",
        }
    }

    /// Whether it lets someone change things.
    pub const fn may_change(self) -> bool {
        matches!(self, Self::Admin)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Someone who may sign in for a reseller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its id.
    pub id: MemberId,
    /// By what they are known, once within a reseller.
    pub identity: Identity,
    /// What they may do.
    pub role: Role,
    /// Since when.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_names() {
        for role in [Role::Admin, Role::Viewer] {
            assert_eq!(Role::parse(role.as_str()), Ok(role));
        }
        assert_eq!(Role::parse("Admin"), Err(NotARole));
        assert!(Role::Admin.may_change() && !Role::Viewer.may_change());
    }
}
