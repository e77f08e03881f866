//! What a body is: an uplink, something else that network servers say, or neither.

use crate::cut::Cut;
use crate::envelope::Envelope;
use crate::error::{FieldError, Step, Unreadable};
use crate::field::{Field, Place, Slot};
use crate::findings::Findings;
use crate::format::Format;
use crate::json::{Json, Members};
use crate::{chirpstack, things_stack};

/// What a network server says.
#[derive(Debug)]
pub enum Message<'a> {
    /// An uplink, good or bad.
    Uplink(Envelope<'a>),
    /// Something that servers also post to the same address, and no error of theirs.
    Ignored {
        /// What it is, in a sentence.
        reason: String,
    },
}

/// The objects in a body that hold what is read.
const CUT: Cut = Cut::Levels(&[
    &["deviceInfo", "object", "end_device_ids", "uplink_message"],
    &["application_ids", "decoded_payload"],
]);

/// Decides what a body is. `event` is the query parameter of that name, in which ChirpStack says what
/// it posts.
///
/// The presence of keys alone makes a format; whether they hold what they should comes out of the
/// [`Envelope`].
pub fn read<'a>(body: &'a [u8], event: Option<&str>) -> Result<Message<'a>, Unreadable> {
    let text = std::str::from_utf8(body).map_err(|_| not_an_object("must be UTF-8"))?;
    let body =
        Json::parse(text, CUT).map_err(|error| not_an_object(&format!("must be JSON: {error}")))?;
    let Some(members) = body.members() else {
        return Err(not_an_object(&format!("must be an object, not {}", body.kind())));
    };
    if let Some(event) = event.filter(|event| *event != "up") {
        let reason = format!("The event is {event:?}, not \"up\".");
        return Ok(Message::Ignored { reason });
    }

    let field = |name| Field {
        place: Place::inside(&Place::BODY, Step::Key(name)),
        slot: Slot::find(members, name),
    };
    let [device_info, object] = Format::ChirpStack.expected_keys().map(field);
    let [end_device_ids, uplink_message] = Format::TheThingsStack.expected_keys().map(field);
    let mut findings = Findings::default();
    let (format, draft) = if device_info.is_present() && object.is_present() {
        let event = chirpstack::Event { device_info, object, time: field("time") };
        (Format::ChirpStack, event.read(&mut findings))
    } else if end_device_ids.is_present() && uplink_message.is_present() {
        let message = things_stack::Message {
            end_device_ids,
            uplink_message,
            received_at: field("received_at"),
            simulated: field("simulated"),
        };
        (Format::TheThingsStack, message.read(&mut findings))
    } else {
        return sort_out(members, end_device_ids.is_present());
    };
    Ok(Message::Uplink(Envelope::new(format, draft, findings)))
}

/// Tells the other messages of The Things Stack, which always name the device, from what is unknown.
fn sort_out<'a>(members: &Members<'_>, names_device: bool) -> Result<Message<'a>, Unreadable> {
    let keys = members.iter().map(|(key, _)| key.as_ref());
    match keys.clone().find(|key| is_other_message(key)) {
        Some(key) if names_device => {
            Ok(Message::Ignored { reason: format!("The message is {key:?}, not an uplink.") })
        }
        _ => Err(Unreadable::UnknownFormat { provided_keys: keys.map(str::to_owned).collect() }),
    }
}

/// Whether The Things Stack puts a message other than an uplink under this key.
fn is_other_message(key: &str) -> bool {
    key.starts_with("downlink_")
        || matches!(key, "join_accept" | "location_solved" | "service_data" | "uplink_normalized")
}

fn not_an_object(message: &str) -> Unreadable {
    Unreadable::NotAnObject(FieldError { loc: Place::BODY.steps(), message: message.to_owned() })
}
