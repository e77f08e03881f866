//! Who may have a spool, and what becomes of one whose process has died.

use std::fs;
use std::io::ErrorKind;

use weir_ingest::spool::{Options, Spool, orphans};

use crate::support::{crash, id, replay, segments, sequences, small_segments};

#[tokio::test]
async fn a_spool_is_adopted_once_and_only_when_its_process_is_gone() {
    let root = tempfile::tempdir().unwrap();
    let old = Spool::create(root.path(), id(1), Options::default()).unwrap();
    old.append(b"left behind".to_vec()).await.unwrap();
    let new = Spool::create(root.path(), id(2), Options::default()).unwrap();
    new.append(b"alive".to_vec()).await.unwrap();
    assert!(orphans(root.path(), id(2)).unwrap().is_empty());

    drop(old);
    let adopted = orphans(root.path(), id(2)).unwrap();
    assert_eq!(adopted.iter().map(|orphan| orphan.id()).collect::<Vec<_>>(), [id(1)]);
    assert!(orphans(root.path(), id(2)).unwrap().is_empty());

    for orphan in adopted {
        let batch = orphan.records(0).unwrap().next_batch(9, 99).unwrap();
        assert_eq!(batch.records, [(1, b"left behind".to_vec())]);
        orphan.remove().unwrap();
    }
    assert!(!root.path().join(id(1).to_string()).exists());
    assert_eq!(new.append(b"still alive".to_vec()).await.unwrap(), 2);
}

#[tokio::test]
async fn a_reader_keeps_its_spool_from_being_adopted() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), Options::default()).unwrap();
    spool.append(b"record".to_vec()).await.unwrap();
    let reader = spool.reader();
    drop(spool);
    assert!(orphans(root.path(), id(2)).unwrap().is_empty());
    drop(reader);
    assert_eq!(orphans(root.path(), id(2)).unwrap().len(), 1);
}

#[test]
fn an_id_is_used_once() {
    let root = tempfile::tempdir().unwrap();
    let _spool = Spool::create(root.path(), id(1), Options::default()).unwrap();
    let again = Spool::create(root.path(), id(1), Options::default());
    assert_eq!(again.unwrap_err().kind(), ErrorKind::AlreadyExists);
}

#[test]
fn the_root_is_made_with_its_parents() {
    let root = tempfile::tempdir().unwrap();
    let deep = root.path().join("data/spools");
    Spool::create(&deep, id(1), Options::default()).unwrap();
    assert!(deep.join(id(1).to_string()).is_dir());
}

#[test]
fn spools_without_anything_in_them_are_adopted_too_and_other_things_are_left() {
    let root = tempfile::tempdir().unwrap();
    drop(Spool::create(root.path(), id(1), Options::default()).unwrap());
    let zeros = root.path().join(id(2).to_string());
    fs::create_dir(&zeros).unwrap();
    fs::write(zeros.join(format!("{:020}.seg", 1)), [0; 4096]).unwrap();
    let other = root.path().join("backup");
    fs::create_dir(&other).unwrap();

    let found = orphans(root.path(), id(9)).unwrap();
    assert_eq!(found.len(), 2);
    for orphan in found {
        assert!(orphan.records(0).unwrap().next_batch(9, 9).unwrap().is_empty());
        orphan.remove().unwrap();
    }
    assert!(!root.path().join(id(1).to_string()).exists());
    assert!(!zeros.exists());
    assert!(other.exists());
}

#[tokio::test]
async fn segments_of_another_spool_are_not_touched() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), Options::default()).unwrap();
    spool.append(b"record".to_vec()).await.unwrap();
    drop(spool);
    let renamed = root.path().join(id(2).to_string());
    fs::rename(root.path().join(id(1).to_string()), &renamed).unwrap();
    assert!(orphans(root.path(), id(9)).unwrap().is_empty());
    assert_eq!(segments(root.path(), id(2)).len(), 1);
}

#[tokio::test]
async fn a_replay_begins_behind_what_is_settled() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), small_segments()).unwrap();
    for number in 0..10 {
        spool.append(vec![number; 250]).await.unwrap();
    }
    spool.trim(4).unwrap();
    drop(spool);

    let orphan = orphans(root.path(), id(9)).unwrap().remove(0);
    let from = |settled| orphan.records(settled).unwrap().next_batch(99, usize::MAX).unwrap();
    let behind = from(5);
    assert_eq!((sequences(&behind), behind.missing), (vec![6, 7, 8, 9, 10], 0));
    assert_eq!(behind.through, 10);
    assert!(from(10).is_empty());
    // Records 2 and 3 were not settled, and their segment is gone all the same.
    let lost = from(1);
    assert_eq!((sequences(&lost), lost.missing), (vec![4, 5, 6, 7, 8, 9, 10], 2));
}

#[tokio::test]
async fn a_segment_that_is_gone_is_missed() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), small_segments()).unwrap();
    for number in 0..10 {
        spool.append(vec![number; 250]).await.unwrap();
    }
    let crashed = crash(root.path(), id(1));
    fs::remove_file(&segments(crashed.path(), id(1))[1]).unwrap();
    let batch = replay(crashed.path(), id(1));
    assert_eq!(sequences(&batch), [1, 2, 3, 7, 8, 9, 10]);
    assert_eq!((batch.missing, batch.damaged), (3, 0));
}
