//! That a store of an older schema is brought up to date with what it holds.

use std::path::Path;

use tempfile::TempDir;
use uuid::Uuid;
use weir_domain::{CustomerId, DeviceId, DeviceKey, ResellerId, Timestamp};
use weir_store::{
    CustomerFilter, CustomerReads, DeviceFilter, DeviceReads, DeviceStats, DeviceWrites, Listeners,
    Page, Verdict,
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
    for (reseller, first_eui) in [(ACME, 1), (GLOBEX, 101)] {
        act(&session(path), reseller, |tx| furnish(tx, first_eui));
    }
}

/// Customers 1 and 2, end user 1 of no customer and 2 of customer 2, and the devices above.
fn furnish(tx: &mut Tx<'_>, first_eui: i64) {
    tx.execute(RESELLER, []).unwrap();
    for (number, customer) in [(1, None), (2, Some(id(2)))] {
        tx.execute(CUSTOMER, [id(number)]).unwrap();
        tx.execute(END_USER, (id(number), customer)).unwrap();
    }
    for (number, (own, end_user, [is_deleted, is_principal, is_active, is_heard])) in
        (0_u8..).zip(DEVICES)
    {
        let eui = first_eui + i64::from(number);
        if !is_deleted {
            tx.execute(CLAIM, [eui]).unwrap();
        }
        let heard = is_heard.then_some(50);
        let (own, end_user) = (own.map(id), end_user.map(id));
        let values =
            (id(number + 1), eui, is_deleted, is_active, own, end_user, is_principal, heard);
        tx.execute(DEVICE, values).unwrap();
    }
}

#[test]
fn older_devices_get_their_customers_counts_and_days() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("weir.db");
    make_old_store(&path);
    let applied = migrate(&path).unwrap();
    assert_eq!(
        applied,
        ["V12__days", "V13__effective_customer", "V14__fleet_counts", "V15__seen_marks"]
    );
    for (reseller, first_key) in [(ACME, 1), (GLOBEX, 8)] {
        act(&session(&path), reseller, |tx| assert_up_to_date(tx, first_key));
    }
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
        let page = tx.devices_page(&filter, Page { limit: 9, offset: 0 }).unwrap();
        assert_eq!(page.len() as u64, expected, "{filter:?}");
    }
    let stats = tx.devices_stats(&[], Timestamp::from_micros(50)).unwrap();
    assert_eq!(stats, DeviceStats { total: 5, new: 2, unassociated: 2, unassigned: 2 });
    assert_eq!(tx.devices_billed().unwrap(), 4);
    let counted = tx.customer_by_id(customer(1)).unwrap();
    assert_eq!(counted.map(|counted| counted.devices), Some(2));
}
