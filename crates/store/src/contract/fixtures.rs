//! Things to put into a store. All of them follow from small numbers: no clock, no chance.

use uuid::Uuid;
use weir_domain::member::{Member, Role};
use weir_domain::person::{Email, Identity, Subject};
use weir_domain::{
    ApiKeyId, Battery, Customer, CustomerId, Device, DeviceId, DeviceKey, EndUser, EndUserId, Eui,
    MemberId, Month, Name, NewDevice, OwnershipId, OwnershipRecord, Position, Reading, Reseller,
    ResellerId, SpoolId, Status, Telemetry, Timestamp, Volume,
};

use crate::{
    ApiKey, DeviceFilter, DeviceOrder, EndUserFilter, KeyHash, Page, Scope, Sighting,
    SightingReading,
};

/// The month that most cases count in.
pub(super) const MONTH: Month = Month::from_number(2026 * 12);

/// As much of a list as there is.
pub(super) const EVERYTHING: Page = Page { limit: u32::MAX, offset: 0 };

/// All live devices.
pub(super) const ANY_DEVICE: DeviceFilter = DeviceFilter {
    is_principal: None,
    customers: Vec::new(),
    is_assigned: None,
    first_seen_since: None,
    search: None,
    status: None,
};

/// The order of lists.
pub(super) const NEWEST_FIRST: DeviceOrder = DeviceOrder::NEWEST_FIRST;

/// All end users.
pub(super) const ANY_END_USER: EndUserFilter = EndUserFilter { customer: None, search: None };

/// Before every time that a meter can send.
pub(super) const BEGINNING: Timestamp = Timestamp::from_micros(i64::MIN);

/// After every time that a meter can send.
pub(super) const END: Timestamp = Timestamp::from_micros(i64::MAX);

/// The microsecond with which 2026 began.
const NEW_YEAR: i64 = 1_767_225_600_000_000;

/// A name with most of what makes trouble in names.
pub(super) const TRICKY: &str = "Zähler 'Süd' \"№ 4\" \\ %_ \u{202e}عداد\u{202c} 水表 e\u{301} 🚰";

/// So many seconds into 2026.
pub(super) const fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(NEW_YEAR + seconds * 1_000_000)
}

/// The name of that text.
pub(super) fn name(text: &str) -> Name {
    Name::stored(text.to_owned())
}

/// The longest name there can be, each character of it four bytes long.
pub(super) fn longest_name() -> Name {
    name(&"🚰".repeat(Name::MAX_CHARACTERS))
}

/// The reseller id of that number.
pub(super) const fn reseller_id(number: u128) -> ResellerId {
    ResellerId::from_uuid(Uuid::from_u128(number))
}

/// A scope such as authentication grants.
#[expect(clippy::disallowed_methods, reason = "the suite plays authentication")]
pub(super) fn scope(reseller: ResellerId) -> Scope {
    Scope::granted(reseller, "the suite")
}

/// A reseller with nothing special about it.
pub(super) fn reseller(id: ResellerId, called: &str) -> Reseller {
    Reseller {
        id,
        name: name(called),
        slug: called.to_owned(),
        aliases: vec![name(&format!("{called} water"))],
        tier: "starter".to_owned(),
        monthly_quota: 100_000,
        timezone: "UTC".to_owned(),
        is_closing: false,
        created_at: at(0),
    }
}

/// The API key of that number, made in that second.
pub(super) fn api_key(number: u128, called: &str, second: i64) -> ApiKey {
    ApiKey {
        id: ApiKeyId::from_uuid(Uuid::from_u128(number)),
        name: name(called),
        sealed: vec![0, 0xff, number as u8],
        created_at: at(second),
        last_used_at: None,
    }
}

/// The key hash of that number.
pub(super) const fn key_hash(number: u8) -> KeyHash {
    let mut bytes = [0xff; 32];
    bytes[31] = number;
    KeyHash(bytes)
}

/// The identity by an address.
pub(super) fn by_email(address: &str) -> Identity {
    Identity::Email(email(address))
}

/// An address.
pub(super) fn email(address: &str) -> Email {
    Email::parse(address).unwrap_or_else(|error| panic!("{address}: {error}"))
}

/// The identity by what an issuer calls someone.
pub(super) fn by_subject(issuer: &str, subject: &str) -> Identity {
    let subject = Subject::new(issuer, subject);
    Identity::Subject(subject.unwrap_or_else(|error| panic!("{issuer}: {error}")))
}

/// The member of that number, who became one in that second.
pub(super) fn member(number: u128, identity: Identity, second: i64) -> Member {
    Member {
        id: MemberId::from_uuid(Uuid::from_u128(number)),
        identity,
        role: Role::Viewer,
        created_at: at(second),
    }
}

/// The device id of that number.
pub(super) const fn device_id(number: u64) -> DeviceId {
    DeviceId::from_uuid(Uuid::from_u128(number as u128))
}

/// The device whose id, EUI and second of registration are that number.
pub(super) fn device(number: u64) -> NewDevice {
    NewDevice {
        id: device_id(number),
        dev_eui: Eui::from_bits(number),
        name: name(&format!("Meter {number}")),
        parent: None,
        is_principal: false,
        hierarchy_level: 0,
        customer: None,
        created_at: at(number as i64),
    }
}

/// What a device is before anyone hears of it. The name of its customer is not known here.
pub(super) fn unheard(key: DeviceKey, new: NewDevice) -> Device {
    Device {
        key,
        id: new.id,
        dev_eui: new.dev_eui,
        name: new.name,
        status: Status::Offline,
        is_active: true,
        end_user: None,
        own_customer: new.customer,
        customer: new.customer,
        customer_name: None,
        parent: new.parent,
        is_principal: new.is_principal,
        hierarchy_level: new.hierarchy_level,
        telemetry: Telemetry::default(),
        deleted_at: None,
        created_at: new.created_at,
        updated_at: new.created_at,
    }
}

/// The device of that number, to be put below another. Its level is the caller's business.
pub(super) fn device_below(number: u64, parent: u64, level: u8) -> NewDevice {
    NewDevice { parent: Some(device_id(parent)), hierarchy_level: level, ..device(number) }
}

/// The customer id of that number.
pub(super) const fn customer_id(number: u64) -> CustomerId {
    CustomerId::from_uuid(Uuid::from_u128(number as u128))
}

/// The customer of that number, of whom nothing is known but the name.
pub(super) fn customer(number: u64, called: &str) -> Customer {
    Customer {
        id: customer_id(number),
        name: name(called),
        email: None,
        phone: None,
        address: None,
        timezone: None,
        created_at: at(number as i64),
    }
}

/// The end user id of that number.
pub(super) const fn end_user_id(number: u64) -> EndUserId {
    EndUserId::from_uuid(Uuid::from_u128(number as u128))
}

/// The end user of that number, of the customer of that number.
pub(super) fn end_user(number: u64, called: &str, customer: Option<u64>) -> EndUser {
    EndUser {
        id: end_user_id(number),
        name: name(called),
        email: None,
        customer: customer.map(customer_id),
        created_at: at(number as i64),
    }
}

/// The ownership id of that number.
pub(super) const fn ownership_id(number: u64) -> OwnershipId {
    OwnershipId::from_uuid(Uuid::from_u128(number as u128))
}

/// The record of that number about a device, made in that second, without a report.
pub(super) fn ownership(number: u64, device: u64, second: i64) -> OwnershipRecord {
    OwnershipRecord {
        id: ownership_id(number),
        device: device_id(device),
        previous: None,
        new: None,
        changed_at: at(second),
        changed_by: "the suite".to_owned(),
        has_report: false,
        notes: None,
    }
}

/// What was read in that second, without a battery.
pub(super) const fn reading(second: i64, millilitres: i64) -> Reading {
    Reading { time: at(second), volume: Volume::from_millilitres(millilitres), battery: None }
}

/// The volumes of so many millilitres.
pub(super) fn volumes<const N: usize>(millilitres: [i64; N]) -> Vec<Volume> {
    millilitres.map(Volume::from_millilitres).to_vec()
}

/// Telemetry in which everything is known, no two times are the same, and no number survives a
/// detour through a narrower type.
pub(super) fn full_telemetry() -> Telemetry {
    Telemetry {
        device_name: Some(name(TRICKY)),
        battery: Some(Battery::from_microvolts(-1_000_000_000)),
        last_reading_at: Some(at(30)),
        newest_reading_at: Some(Timestamp::from_micros(4_133_980_799_999_999)),
        first_seen_at: Some(at(10)),
        last_seen_at: Some(Timestamp::from_micros(NEW_YEAR + 40_000_001)),
        message_count: (1 << 53) + 1,
        position: Position {
            latitude: Some(-33.856_784_999_999_996),
            longitude: Some(0.1 + 0.2),
            altitude: Some(-432.65),
        },
    }
}

/// The telemetry of one message that said nothing of itself.
pub(super) fn seen_at(second: i64) -> Telemetry {
    Telemetry {
        first_seen_at: Some(at(second)),
        last_seen_at: Some(at(second)),
        message_count: 1,
        ..Telemetry::default()
    }
}

/// An EUI that was seen once, in that second.
pub(super) fn sighting(bits: u64, second: i64) -> Sighting {
    Sighting { dev_eui: Eui::from_bits(bits), telemetry: seen_at(second) }
}

/// A reading of an EUI, received in that second.
pub(super) fn sighted(bits: u64, reading: Reading, received: i64) -> SightingReading {
    SightingReading { eui: Eui::from_bits(bits), reading, received_at: at(received) }
}

/// The spool of that number.
pub(super) const fn spool(number: u128) -> SpoolId {
    SpoolId::from_uuid(Uuid::from_u128(number))
}
