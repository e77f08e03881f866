//! That a store of an older schema is brought up to date with what it holds.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use tempfile::TempDir;
use uuid::Uuid;
use weir_domain::{
    Battery, CustomerId, DeviceId, DeviceKey, Reading, ResellerId, Timestamp, Volume,
};
use weir_store::{
    CustomerFilter, CustomerReads, DeviceFilter, DeviceOrder, DeviceReads, DeviceStats,
    DeviceWrites, From, Listeners, Page, ReadingReads, ReadingWrites, Verdict,
};

use crate::connection::{self, Role};
use crate::gate::Binding;
use crate::health::Trouble;
use crate::migrate::{self, migrate};
use crate::property::{ACME, GLOBEX};
use crate::session::{Session, Shared};
use crate::tx::Tx;

const RESELLER: &str =
    "INSERT INTO reseller VALUES (current_reseller(), 'n', 'n', 't', 1, 'UTC', 0, 1)";

const CUSTOMER: &str = "INSERT INTO customer (reseller_id, id, name, created_at)
    VALUES (current_reseller(), ?1, 'n', 1)";

const END_USER: &str = "INSERT INTO end_user (reseller_id, id, name, customer_id, created_at)
    VALUES (current_reseller(), ?1, 'n', ?2, 1)";

const CLAIM: &str = "INSERT INTO eui_claim VALUES (?1, current_reseller())";

const DEVICE: &str = "INSERT INTO device
        (reseller_id, id, eui, dev_eui, live_eui, name, status, is_active, customer_id, end_user_id,
         is_principal, hierarchy_level, message_count, newest_reading_at, first_seen_at, deleted_at,
         created_at, updated_at)
    VALUES (current_reseller(), ?1, ?2, printf('%016x', ?2), iif(?3, NULL, ?2), 'n', 'online', ?4,
            ?5, ?6, ?7, 0, 0, ?8, ?8, iif(?3, 9, NULL), ?2, ?2)";

/// A device: its own customer, its end user, and whether it is deleted, principal, active, heard.
type Old = (Option<u8>, Option<u8>, [bool; 4]);

const DEVICES: [Old; 7] = [
    (Some(1), None, [false, false, true, true]),
    (Some(1), Some(2), [false, true, true, false]),
    (None, Some(2), [true, false, true, true]),
    (Some(1), Some(1), [false, false, false, false]),
    (None, None, [false, false, true, true]),
    (None, Some(1), [false, true, true, false]),
    (Some(1), None, [true, false, true, false]),
];

fn id(number: u8) -> [u8; 16] {
    Uuid::from_u128(u128::from(number)).into_bytes()
}

/// The session of a store, whichever schema it has.
fn session(path: &Path) -> Session {
    let shared = Shared { word: 7, origin: 7, listeners: Listeners::default() };
    Session::open(path, Role::Writer, shared, Trouble::default()).unwrap()
}

fn act(session: &Session, reseller: ResellerId, work: impl Fn(&mut Tx<'_>)) {
    let work = |tx: &mut Tx<'_>| {
        work(tx);
        Verdict::Commit
    };
    session.transact(Binding::Reseller(reseller), work).unwrap();
}

/// Makes a store as the eleventh migration left it, of two resellers with the same devices each.
fn make_old_store(path: &Path) {
    std::fs::File::create(path).unwrap();
    let mut connection = connection::open(path, Role::Writer).unwrap();
    connection::enable_wal(&connection).unwrap();
    let eleventh = migrate::runner().set_target(refinery::Target::Version(11)).set_grouped(true);
    eleventh.run(&mut connection).unwrap();
    for (reseller, first) in [(ACME, 1), (GLOBEX, 101)] {
        bind(&connection, reseller);
        furnish(&connection, first);
    }
}

/// Lets the guards of an old store pass what is a reseller's own. The gate of today does not know the
/// tables of then.
fn bind(connection: &Connection, reseller: ResellerId) {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    let own = reseller.uuid().into_bytes();
    connection.create_scalar_function("current_reseller", 0, flags, move |_| Ok(own)).unwrap();
    connection.create_scalar_function("is_out_of_scope", 1, flags, |_| Ok(false)).unwrap();
}

/// Customers 1 and 2, end user 1 of no customer and 2 of customer 2, and the devices above, the first
/// of them with readings.
fn furnish(connection: &Connection, first_eui: i64) {
    connection.execute(RESELLER, []).unwrap();
    for (number, customer) in [(1, None), (2, Some(id(2)))] {
        connection.execute(CUSTOMER, [id(number)]).unwrap();
        connection.execute(END_USER, (id(number), customer)).unwrap();
    }
    for (number, (own, end_user, [is_deleted, is_principal, is_active, is_heard])) in
        (0_u8..).zip(DEVICES)
    {
        let eui = first_eui + i64::from(number);
        if !is_deleted {
            connection.execute(CLAIM, [eui]).unwrap();
        }
        let heard = is_heard.then_some(50);
        let (own, end_user) = (own.map(id), end_user.map(id));
        let values =
            (id(number + 1), eui, is_deleted, is_active, own, end_user, is_principal, heard);
        connection.execute(DEVICE, values).unwrap();
    }
    let first = connection.last_insert_rowid() - 6;
    let mut insert = connection.prepare("INSERT INTO reading VALUES (?1, ?2, ?3, ?4)").unwrap();
    for Reading { time, volume, battery } in readings() {
        let battery = battery.map(|battery| battery.microvolts());
        insert.execute((first, time.micros(), volume.millilitres(), battery)).unwrap();
    }
}

/// Readings before 1970, 100 around the end of a month, and 50 of one time; some without a battery.
fn readings() -> Vec<Reading> {
    let new_year = 1_767_225_600_000_000;
    let half_hours = (-50..50).map(|n| (new_year + n * 1_800_000_000, n + 50));
    let at_once = (0..50).map(|n| (new_year + 50 * 1_800_000_000, n * 1_000_000_000));
    let all = [(-1, 3), (0, 2), (1, 1)].into_iter().chain(half_hours).chain(at_once);
    let reading = |(micros, millilitres): (i64, i64)| Reading {
        time: Timestamp::from_micros(micros),
        volume: Volume::from_millilitres(millilitres),
        battery: (millilitres % 3 != 0).then(|| Battery::from_microvolts(-micros as i32 % 1_000)),
    };
    all.map(reading).collect()
}

#[test]
fn older_devices_get_their_customers_counts_and_days_and_keep_their_readings() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    make_old_store(&path);
    let applied = migrate(&path).unwrap();
    assert_eq!(
        applied,
        [
            "V12__days",
            "V13__effective_customer",
            "V14__fleet_counts",
            "V15__seen_marks",
            "V16__reading_blocks",
            "V17__members_and_sign_in",
            "V18__key_uses_and_memberships",
            "V19__lanes"
        ]
    );
    for (reseller, first_key) in [(ACME, 1), (GLOBEX, 8)] {
        act(&session(&path), reseller, |tx| assert_up_to_date(tx, first_key));
        act(&session(&path), reseller, |tx| assert_readings_kept(tx, first_key));
    }
}

/// Those of the first device alone, which goes on from there.
fn assert_readings_kept(tx: &mut Tx<'_>, first_key: i64) {
    let beginning = From::Time(Timestamp::from_micros(i64::MIN));
    let mut expected = readings();
    for key in first_key..first_key + 7 {
        let found = tx.readings_page(DeviceKey(key), beginning, u32::MAX).unwrap();
        assert_eq!(found, if key == first_key { &expected[..] } else { &[] }, "of {key}");
    }
    let blocks = "SELECT device, since, readings FROM gate.reading_block ORDER BY since";
    let blocks = tx.all(blocks, [], crate::row::block).unwrap();
    let sizes: Vec<_> = blocks.iter().map(|block| block.readings().len()).collect();
    assert_eq!(sizes, [1, 2, 32, 18, 32, 68], "of blocks");
    let late = Reading { volume: Volume::from_millilitres(7), ..expected[20] };
    tx.readings_append(&[(DeviceKey(first_key), late), (DeviceKey(first_key), expected[0])])
        .unwrap();
    expected.insert(20, late);
    expected.sort_by_key(|reading| (reading.time, reading.volume));
    assert_eq!(tx.readings_page(DeviceKey(first_key), beginning, u32::MAX).unwrap(), expected);
}

fn assert_up_to_date(tx: &mut Tx<'_>, first_key: i64) {
    let customer = |number| CustomerId::from_uuid(Uuid::from_bytes(id(number)));
    let ids: Vec<_> =
        (1..=7).map(|number| DeviceId::from_uuid(Uuid::from_bytes(id(number)))).collect();
    let mut devices = tx.devices_by_ids(&ids).unwrap();
    devices.sort_by_key(|device| device.id);
    let customers: Vec<_> = devices.iter().map(|device| device.customer).collect();
    let expected = [Some(1), Some(2), Some(2), Some(1), None, None, Some(1)];
    assert_eq!(customers, expected.map(|number| number.map(customer)));

    let keys: Vec<_> = (first_key..first_key + 7).map(DeviceKey).collect();
    let states = tx.device_states(&keys).unwrap();
    let untils: Vec<_> = states.iter().map(|state| state.days_until).collect();
    let nothing = Some(Timestamp::from_micros(0));
    assert_eq!(untils, [nothing, None, nothing, None, nothing, None, None]);

    let all = DeviceFilter::default();
    let of = |number| vec![CustomerFilter::Of(customer(number))];
    for (filter, expected) in [
        (all.clone(), 5),
        (DeviceFilter { is_principal: Some(true), ..all.clone() }, 2),
        (DeviceFilter { is_assigned: Some(false), ..all.clone() }, 2),
        (DeviceFilter { customers: of(1), ..all.clone() }, 2),
        (DeviceFilter { customers: of(2), ..all.clone() }, 1),
    ] {
        assert_eq!(tx.devices_count(&filter).unwrap(), expected, "{filter:?}");
        let page = tx
            .devices_page(&filter, DeviceOrder::NEWEST_FIRST, Page { limit: 9, offset: 0 })
            .unwrap();
        assert_eq!(page.len() as u64, expected, "{filter:?}");
    }
    let stats = tx.devices_stats(&[], Timestamp::from_micros(50)).unwrap();
    assert_eq!(stats, DeviceStats { total: 5, new: 2, unassociated: 2, unassigned: 2 });
    assert_eq!(tx.devices_billed().unwrap(), 4);
    let counted = tx.customer_by_id(customer(1)).unwrap();
    assert_eq!(counted.map(|counted| counted.devices), Some(2));
}
