//! Records that can never be settled.

use std::fs::{self, File};

use weir_ingest::spool::set_aside::{SetAside, count, read, set_aside};

use crate::support::id;

#[test]
fn records_are_kept_with_their_origin_and_reason() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(count(root.path()).unwrap(), 0);
    set_aside(root.path(), id(1), 7, b"one", "No such device.").unwrap();
    set_aside(root.path(), id(2), 3, b"", "").unwrap();
    set_aside(root.path(), id(1), 7, b"one", "No such device.").unwrap();
    assert_eq!(count(root.path()).unwrap(), 2);
    let kept = |spool, sequence, payload: &[u8], reason: &str| SetAside {
        spool,
        sequence,
        reason: reason.into(),
        payload: payload.into(),
    };
    assert_eq!(
        read(root.path()).unwrap(),
        [kept(id(1), 7, b"one", "No such device."), kept(id(2), 3, b"", "")]
    );
}

#[test]
fn a_long_reason_is_cut_between_characters() {
    let root = tempfile::tempdir().unwrap();
    set_aside(root.path(), id(1), 1, b"one", &"ü".repeat(5000).replacen('ü', "u", 1)).unwrap();
    let record = read(root.path()).unwrap().remove(0);
    assert_eq!(record.reason.len(), 4095);
    assert_eq!(record.payload, b"one");
}

#[test]
fn a_half_written_record_does_not_hide_the_next() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("set-aside.log");
    set_aside(root.path(), id(1), 1, b"one", "reason").unwrap();
    let length = fs::metadata(&path).unwrap().len();
    set_aside(root.path(), id(1), 2, b"two", "reason").unwrap();
    File::options().write(true).open(&path).unwrap().set_len(length + 30).unwrap();
    set_aside(root.path(), id(1), 3, b"three", "reason").unwrap();
    let sequences: Vec<_> =
        read(root.path()).unwrap().iter().map(|record| record.sequence).collect();
    assert_eq!(sequences, [1, 3]);
}
