//! Values out of fields, and a list of all that is wrong with them.

use std::borrow::Cow;
use std::fmt::Display;

use weir_domain::{Battery, Eui, Timestamp, Volume};

use crate::cut::Cut;
use crate::error::{FieldError, Step};
use crate::field::{Field, Place, Slot};
use crate::json::{Json, Kind};

/// What was found to be wrong while reading a body. A bad field gives no value and reading goes on,
/// so that all of them can be named at once.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    errors: Vec<FieldError>,
    malformed_eui: Option<FieldError>,
}

impl Findings {
    pub(crate) fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    pub(crate) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    /// The EUI, where it is a string that is none. It is among the errors too.
    pub(crate) fn malformed_eui(&self) -> Option<&FieldError> {
        self.malformed_eui.as_ref()
    }

    /// Says what is wrong with a field.
    pub(crate) fn refuse(&mut self, field: &Field<'_, '_>, message: impl Display) {
        self.errors.push(FieldError { loc: field.place.steps(), message: message.to_string() });
    }

    /// Says that a field is missing.
    pub(crate) fn miss(&mut self, field: &Field<'_, '_>) {
        self.refuse(field, "is required");
    }

    /// The named members of an object. Those of an absent object are absent, so that what is found
    /// missing is the value that was wanted.
    pub(crate) fn members<'a, 'p, const N: usize>(
        &mut self,
        object: &'p Field<'a, 'p>,
        names: [&'static str; N],
    ) -> [Field<'a, 'p>; N] {
        let members = if object.is_absent() {
            None
        } else {
            let json = self.required(object, Kind::Object);
            let members = json.and_then(Json::members);
            debug_assert_eq!(json.is_some(), members.is_some(), "what is looked into must be cut");
            Some(members)
        };
        names.map(|name| Field {
            place: Place::inside(&object.place, Step::Key(name)),
            slot: match members {
                None => Slot::Absent,
                Some(None) => Slot::Unknown,
                Some(Some(members)) => Slot::find(members, name),
            },
        })
    }

    /// The elements of an array, cut as `cut` says; nothing where it is none.
    pub(crate) fn elements<'a>(
        &mut self,
        array: &Field<'a, '_>,
        cut: Cut,
    ) -> Option<Vec<Json<'a>>> {
        let elements = self.required(array, Kind::Array)?.elements(cut)?;
        let elements = elements.map_err(|error| format!("must be JSON: {error}"));
        self.accept(array, elements)
    }

    pub(crate) fn text<'a>(&mut self, field: &Field<'a, '_>) -> Option<Cow<'a, str>> {
        let text = self.required(field, Kind::String)?.text()?;
        let whole = text.map_err(|_| "must not contain half of a surrogate pair");
        self.accept(field, whole)
    }

    pub(crate) fn optional_text<'a>(&mut self, field: &Field<'a, '_>) -> Option<Cow<'a, str>> {
        self.if_given(field, Self::text)
    }

    pub(crate) fn number(&mut self, field: &Field<'_, '_>) -> Option<f64> {
        self.required(field, Kind::Number)?.number()
    }

    pub(crate) fn optional_number(&mut self, field: &Field<'_, '_>) -> Option<f64> {
        self.if_given(field, Self::number)
    }

    pub(crate) fn optional_boolean(&mut self, field: &Field<'_, '_>) -> Option<bool> {
        self.if_given(field, |findings, field| findings.required(field, Kind::Boolean)?.boolean())
    }

    pub(crate) fn time(&mut self, field: &Field<'_, '_>) -> Option<Timestamp> {
        let text = self.text(field)?;
        self.accept(field, Timestamp::parse(&text))
    }

    pub(crate) fn optional_time(&mut self, field: &Field<'_, '_>) -> Option<Timestamp> {
        self.if_given(field, Self::time)
    }

    pub(crate) fn optional_battery(&mut self, field: &Field<'_, '_>) -> Option<Battery> {
        let volts = self.optional_number(field)?;
        self.accept(field, Battery::from_volts(volts))
    }

    pub(crate) fn volume(&mut self, field: &Field<'_, '_>) -> Option<Volume> {
        let cubic_metres = self.number(field)?;
        self.accept(field, Volume::from_cubic_metres(cubic_metres))
    }

    pub(crate) fn eui(&mut self, field: &Field<'_, '_>) -> Option<Eui> {
        let text = self.text(field)?;
        let eui = self.accept(field, Eui::parse(&text));
        if eui.is_none() {
            self.malformed_eui = self.errors.last().cloned();
        }
        eui
    }

    /// The value, or what is wrong with the field as its error says.
    pub(crate) fn accept<T, E: Display>(
        &mut self,
        field: &Field<'_, '_>,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|error| self.refuse(field, error)).ok()
    }

    /// The value of a field that must be there and of this kind.
    fn required<'a, 'p>(&mut self, field: &Field<'a, 'p>, kind: Kind) -> Option<&'p Json<'a>> {
        match field.slot {
            Slot::Given(json) if json.kind() == kind => return Some(json),
            Slot::Given(json) => {
                self.refuse(field, format_args!("must be {kind}, not {}", json.kind()));
            }
            Slot::Absent => self.miss(field),
            Slot::Repeated => self.refuse(field, "must not be given more than once"),
            Slot::Unknown => {}
        }
        None
    }

    /// Reads a field that may be absent or null.
    fn if_given<'a, T>(
        &mut self,
        field: &Field<'a, '_>,
        read: impl FnOnce(&mut Self, &Field<'a, '_>) -> Option<T>,
    ) -> Option<T> {
        let field = field.unless_null();
        if field.is_absent() {
            return None;
        }
        read(self, &field)
    }
}
