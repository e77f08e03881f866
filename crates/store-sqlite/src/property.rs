//! Two resellers with a row in every table.

use rusqlite::Connection;
use rusqlite::types::Value;
use tempfile::TempDir;
use uuid::Uuid;
use weir_domain::consumption::kept::KeptDay;
use weir_domain::member::{self, Member};
use weir_domain::person::{Email, Identity};
use weir_domain::{
    ApiKeyId, Customer, CustomerId, DeviceId, EndUser, EndUserId, Eui, MemberId, Month, Name,
    NewDevice, OwnershipId, OwnershipRecord, Reading, Reseller, ResellerId, SessionId, SpoolId,
    Telemetry, Timestamp, Volume,
};
use weir_store::{
    ApiKey, Change, DaysOf, KeyHash, Lanes, Listeners, MagicLink, Sighting, SightingReading,
    SignInTx, SigningKey, StoreResult, SystemTx, Verdict, WriteTx,
};

use crate::connection::{self, Role};
use crate::gate::Binding;
use crate::health::Trouble;
use crate::session::{Session, Shared};
use crate::tx::Tx;

pub(crate) const ACME: ResellerId = ResellerId::from_uuid(Uuid::from_bytes([0xaa; 16]));
pub(crate) const GLOBEX: ResellerId = ResellerId::from_uuid(Uuid::from_bytes([0xee; 16]));

/// Globex's id, as a statement writes it.
pub(crate) const GLOBEX_SQL: &str = "x'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'";

/// A file, and the sessions on it.
pub(crate) struct Property {
    directory: TempDir,
}

impl Property {
    /// Furnishes both resellers. Acme's device gets key 1, globex's key 2.
    pub fn new() -> Self {
        let property = Self { directory: TempDir::new().unwrap() };
        crate::migrate(&property.path()).unwrap();
        let mut furnished = Ok(());
        let work = |tx: &mut Tx<'_>| {
            furnished = [(ACME, "acme", 1), (GLOBEX, "globex", 2)]
                .into_iter()
                .try_for_each(|(reseller, name, number)| furnish(tx, reseller, name, number));
            Verdict::Commit
        };
        property.session(Role::Writer).transact(Binding::System, work).unwrap();
        furnished.unwrap();
        property
    }

    /// A new session.
    pub fn session(&self, role: Role) -> Session {
        let shared = Shared { word: 7, origin: 7, listeners: Listeners::default() };
        Session::open(&self.path(), role, shared, Trouble::default()).unwrap()
    }

    /// Every row of every table, read past all gates.
    pub fn everything(&self) -> Vec<(String, Vec<Vec<Value>>)> {
        let connection = connection::open(&self.path(), Role::Reader).unwrap();
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let names = rows(&connection, tables);
        let dump = names.into_iter().map(|name| {
            let [Value::Text(name)] = &name[..] else { panic!("{name:?} is no name") };
            (name.clone(), rows(&connection, &format!("SELECT * FROM {name}")))
        });
        dump.collect()
    }

    fn path(&self) -> std::path::PathBuf {
        self.directory.path().join("weir.db")
    }
}

fn rows(connection: &Connection, sql: &str) -> Vec<Vec<Value>> {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| (0..columns).map(|n| row.get(n)).collect()).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

/// Whether a value can only be globex's.
pub(crate) fn shows_globex(rows: &[Vec<Value>]) -> bool {
    rows.iter().flatten().any(|value| match value {
        Value::Text(text) => text.contains("globex"),
        Value::Blob(bytes) => bytes.starts_with(&[0xee]),
        Value::Integer(number) => *number == 2,
        _ => false,
    })
}

/// Gives a reseller a row in every table. Its numbers are all `number`, but for those that cannot be;
/// its names contain its name, its ids are its id.
fn furnish(tx: &mut Tx<'_>, reseller: ResellerId, name: &str, number: i64) -> StoreResult<()> {
    let id = reseller.uuid();
    let at = Timestamp::from_micros(number);
    let eui = Eui::from_bits(number.cast_unsigned());
    let reading = Reading { time: at, volume: Volume::from_millilitres(number), battery: None };
    let called = |suffix: &str| Name::stored(format!("{name} {suffix}"));
    tx.api_key_publish(&KeyHash([number as u8; 32]), reseller, ApiKeyId::from_uuid(id))?;
    tx.tenant_name_claim(name, reseller)?;
    tx.spool_position_store(SpoolId::from_uuid(id), &Lanes::ALL, number.cast_unsigned())?;
    tx.secret_keep(b"secret")?;
    let email = Email::parse(&format!("{name}@example.org")).unwrap();
    furnish_sign_in(tx, id, &email, number)?;
    let tx = tx.scoped(reseller)?;
    tx.reseller_insert(&Reseller {
        id: reseller,
        name: called("reseller"),
        slug: name.to_owned(),
        aliases: vec![called("alias")],
        tier: name.to_owned(),
        monthly_quota: number,
        timezone: "UTC".to_owned(),
        is_closing: false,
        created_at: at,
    })?;
    tx.api_key_insert(&ApiKey {
        id: ApiKeyId::from_uuid(id),
        name: called("key"),
        sealed: id.into_bytes().to_vec(),
        created_at: at,
        last_used_at: None,
    })?;
    tx.member_insert(&Member {
        id: MemberId::from_uuid(id),
        identity: Identity::Email(email),
        role: member::Role::Admin,
        created_at: at,
    })?;
    tx.eui_claim(eui)?;
    let key = tx.device_insert(&NewDevice {
        id: DeviceId::from_uuid(id),
        dev_eui: eui,
        name: called("meter"),
        parent: None,
        is_principal: true,
        hierarchy_level: 0,
        customer: None,
        created_at: at,
    })?;
    assert_eq!(key.0, number);
    tx.readings_append(&[(key, reading)])?;
    let date = crate::day::date_of(number).unwrap();
    let (consumption, last_reading) = (reading.volume, reading.volume);
    let days = vec![KeptDay { date, consumption, last_reading, is_reset: false }];
    tx.days_keep(&[DaysOf { device: key, zone: name.to_owned(), from: date, days }])?;
    furnish_community(tx, id, name, at)?;
    let telemetry = Telemetry { device_name: Some(called("name")), ..Telemetry::default() };
    tx.sightings_store(&[Sighting { dev_eui: eui, telemetry }])?;
    tx.sighting_readings_append(&[SightingReading { eui, reading, received_at: at }])?;
    tx.quota_lease(Month::from_number(number as i32), SpoolId::from_uuid(id), number)?;
    tx.quota_settle(Month::from_number(number as i32), SpoolId::from_uuid(id), 0)?;
    tx.announce(Change::Reseller(reseller))
}

/// A link, a session and a signing key.
fn furnish_sign_in(tx: &mut Tx<'_>, id: Uuid, email: &Email, number: i64) -> StoreResult<()> {
    let (at, hash) = (Timestamp::from_micros(number), KeyHash([number as u8; 32]));
    tx.magic_link_insert(&MagicLink {
        hash,
        browser: hash,
        email: email.clone(),
        created_at: at,
        expires_at: at,
    })?;
    tx.session_insert(&weir_store::Session {
        id: SessionId::from_uuid(id),
        person: email.clone().into(),
        refresh: hash,
        previous: None,
        refreshed_at: at,
        created_at: at,
        expires_at: at,
    })?;
    tx.signing_key_insert(&SigningKey { id: id.to_string(), sealed: vec![0], created_at: at })
}

/// A customer with an end user, and a record about the device.
fn furnish_community(tx: &mut dyn WriteTx, id: Uuid, name: &str, at: Timestamp) -> StoreResult<()> {
    let text = Some(name.to_owned());
    tx.customer_insert(&Customer {
        id: CustomerId::from_uuid(id),
        name: Name::stored(format!("{name} customer")),
        email: text.clone(),
        phone: text.clone(),
        address: text.clone(),
        timezone: text.clone(),
        created_at: at,
    })?;
    tx.end_user_insert(&EndUser {
        id: EndUserId::from_uuid(id),
        name: Name::stored(format!("{name} end user")),
        email: text.clone(),
        customer: Some(CustomerId::from_uuid(id)),
        created_at: at,
    })?;
    let record = OwnershipRecord {
        id: OwnershipId::from_uuid(id),
        device: DeviceId::from_uuid(id),
        previous: Some(EndUserId::from_uuid(id)),
        new: Some(EndUserId::from_uuid(id)),
        changed_at: at,
        changed_by: name.to_owned(),
        has_report: true,
        notes: text.clone(),
    };
    tx.ownership_insert(&[(record, text)])
}
