//! A field of the body: where it is and what is there.

use crate::error::Step;
use crate::json::{Json, Kind, Members};

/// A place in the body. It is a chain through the places around it, so that it costs nothing until an
/// error needs it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'p> {
    around: Option<&'p Place<'p>>,
    step: Step,
}

impl<'p> Place<'p> {
    pub(crate) const BODY: Place<'static> = Place { around: None, step: Step::Key("body") };

    pub(crate) const fn inside(around: &'p Place<'p>, step: Step) -> Self {
        Self { around: Some(around), step }
    }

    /// The steps that lead here, from the body inwards.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let outwards = std::iter::successors(Some(self), |place| place.around);
        let mut steps: Vec<_> = outwards.map(|place| place.step).collect();
        steps.reverse();
        steps
    }
}

/// What an object holds under a key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Slot<'a, 'p> {
    /// Nothing.
    Absent,
    /// A value, which may be null.
    Given(&'p Json<'a>),
    /// Several values, and no reason to prefer one.
    Repeated,
    /// Nobody knows, since what is around it is not an object, which has been told.
    Unknown,
}

impl<'a, 'p> Slot<'a, 'p> {
    /// What these members hold under this key.
    pub(crate) fn find(members: &'p Members<'a>, key: &str) -> Self {
        let mut values = members.iter().filter_map(|(name, value)| (name == key).then_some(value));
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::Given(value),
            (Some(_), Some(_)) => Self::Repeated,
        }
    }
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a, 'p> {
    pub(crate) place: Place<'p>,
    pub(crate) slot: Slot<'a, 'p>,
}

impl Field<'_, '_> {
    /// Whether the key is there, whatever it holds.
    pub(crate) const fn is_present(&self) -> bool {
        matches!(self.slot, Slot::Given(_) | Slot::Repeated)
    }

    /// Whether the key is known not to be there.
    pub(crate) const fn is_absent(&self) -> bool {
        matches!(self.slot, Slot::Absent)
    }

    /// The same, absent where it is null.
    pub(crate) fn unless_null(self) -> Self {
        match self.slot {
            Slot::Given(json) if json.kind() == Kind::Null => Self { slot: Slot::Absent, ..self },
            _ => self,
        }
    }
}
