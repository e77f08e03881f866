//! What can be asked for, before it is known for whom.

use uuid::Uuid;
use weir_domain::device::ManualStatus;
use weir_domain::{CustomerId, DeviceId, EndUserId};

use super::change::Change;
use crate::forms::Fields;
use crate::text::bulk as text;

/// Nobody, or no meter, among those to choose from.
pub const NOBODY: &str = "nobody";

/// A button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// To an end user.
    Assign,
    /// To a customer.
    Give,
    /// Below another meter.
    Hang,
    /// Into maintenance.
    Maintenance,
    /// Back from it.
    Auto,
    /// Away.
    Delete,
}

impl Action {
    const ALL: [Self; 6] =
        [Self::Assign, Self::Give, Self::Hang, Self::Maintenance, Self::Auto, Self::Delete];

    /// The button of that value.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.word() == word)
    }

    /// Its value.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Assign => "assign",
            Self::Give => "customer",
            Self::Hang => "parent",
            Self::Maintenance => "maintenance",
            Self::Auto => "auto",
            Self::Delete => "delete",
        }
    }

    /// What is asked before it is done.
    pub const fn question(self) -> &'static str {
        match self {
            Self::Assign => text::ASSIGN,
            Self::Give => text::GIVE,
            Self::Hang => text::HANG,
            Self::Maintenance => text::MAINTENANCE,
            Self::Auto => text::AUTO,
            Self::Delete => text::DELETE,
        }
    }

    /// What follows from it.
    pub const fn consequence(self) -> &'static str {
        match self {
            Self::Assign => text::ASSIGN_MEANS,
            Self::Give => text::GIVE_MEANS,
            Self::Hang => text::HANG_MEANS,
            Self::Maintenance => text::MAINTENANCE_MEANS,
            Self::Auto => text::AUTO_MEANS,
            Self::Delete => text::DELETE_MEANS,
        }
    }

    /// What was done, after "3 meters".
    pub const fn done(self) -> &'static str {
        match self {
            Self::Assign => text::ASSIGNED,
            Self::Give => text::GIVEN,
            Self::Hang => text::HUNG,
            Self::Maintenance => text::MAINTAINED,
            Self::Auto => text::AUTOMATIC,
            Self::Delete => text::DELETED,
        }
    }

    /// The change that a form asks for; none where it does not say for whom.
    pub fn change(self, fields: &Fields) -> Option<Change> {
        let to = || Uuid::try_parse(fields.text("to")).ok();
        match self {
            Self::Assign if fields.text("to") == NOBODY => Some(Change::Assign(None)),
            Self::Assign => to().map(|id| Change::Assign(Some(EndUserId::from_uuid(id)))),
            Self::Give => to().map(|id| Change::Give(CustomerId::from_uuid(id))),
            Self::Hang if fields.text("to") == NOBODY => Some(Change::Hang(None)),
            Self::Hang => to().map(|id| Change::Hang(Some(DeviceId::from_uuid(id)))),
            Self::Maintenance => Some(Change::SetStatus(ManualStatus::Maintenance)),
            Self::Auto => Some(Change::SetStatus(ManualStatus::Auto)),
            Self::Delete => Some(Change::Delete),
        }
    }
}
