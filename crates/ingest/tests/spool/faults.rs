//! A disk that fills up or breaks: errors for the callers, and nothing acknowledged is lost.

use std::io::ErrorKind;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use weir_ingest::spool::{Spool, SpoolError};
use weir_testkit::faults::times;

use crate::disk::{Fault, FaultyDisk};
use crate::support::{append_all, crash, id, replay, segments, small_segments};

struct Setup {
    root: TempDir,
    disk: FaultyDisk,
    spool: Spool,
}

fn setup() -> Setup {
    let root = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let spool =
        Spool::create_on(Arc::new(disk.clone()), root.path(), id(1), small_segments()).unwrap();
    Setup { root, disk, spool }
}

/// Appends around these faults, and returns what a crash afterwards leaves of it.
async fn appended_around(faults: &[Fault]) -> (Vec<(u64, Vec<u8>)>, ErrorKind) {
    let Setup { root, disk, spool } = setup();
    assert_eq!(spool.append(b"before".to_vec()).await.unwrap(), 1);
    faults.iter().for_each(|fault| disk.inject(*fault));
    let failed = spool.append(b"failed".to_vec()).await.unwrap_err();
    let SpoolError::Io(error) = failed else {
        panic!("not the disk's error: {failed}");
    };
    assert_eq!((spool.durable(), spool.depth()), (1, 1));
    assert_eq!(spool.append(b"after".to_vec()).await.unwrap(), 3);
    assert_eq!((spool.durable(), spool.depth()), (3, 2));

    let crashed = crash(root.path(), id(1));
    let replayed = replay(crashed.path(), id(1));
    assert_eq!((replayed.damaged, replayed.missing), (0, 0));
    let live = spool.reader().next_batch(99, usize::MAX).unwrap();
    assert_eq!((live.records, live.missing), (replayed.records.clone(), 0));
    spool.trim(3).unwrap();
    assert_eq!(spool.depth(), 0);
    (replayed.records, error.kind())
}

fn around() -> Vec<(u64, Vec<u8>)> {
    vec![(1, b"before".to_vec()), (3, b"after".to_vec())]
}

#[tokio::test]
async fn a_full_disk_costs_the_batch_and_nothing_else() {
    for kept in [0, 5, 23, 999] {
        let appended = appended_around(&[Fault::Write(kept)]).await;
        assert_eq!(appended, (around(), ErrorKind::StorageFull));
    }
}

#[tokio::test]
async fn a_failed_sync_costs_the_batch_and_nothing_else() {
    for lost in [true, false] {
        let appended = appended_around(&[Fault::Sync { lost }]).await;
        assert_eq!(appended, (around(), ErrorKind::Other));
    }
}

#[tokio::test]
async fn a_failed_batch_that_cannot_be_cut_off_is_passed_over() {
    let faults = [Fault::Sync { lost: false }, Fault::Truncate];
    assert_eq!(appended_around(&faults).await.0, around());
}

#[tokio::test]
async fn a_failed_batch_is_passed_over_even_if_the_next_segment_is_a_ruin() {
    let Setup { root, disk, spool } = setup();
    spool.append(b"before".to_vec()).await.unwrap();
    disk.inject(Fault::Sync { lost: false });
    disk.inject(Fault::Truncate);
    spool.append(b"failed".to_vec()).await.unwrap_err();
    disk.inject(Fault::Write(5));
    disk.inject(Fault::Remove);
    spool.append(b"failed".to_vec()).await.unwrap_err();
    assert_eq!(segments(root.path(), id(1)).len(), 2);
    spool.append(b"after".to_vec()).await.unwrap();
    let replayed = replay(crash(root.path(), id(1)).path(), id(1));
    assert_eq!(replayed.records, [(1, b"before".to_vec()), (4, b"after".to_vec())]);
}

#[tokio::test]
async fn a_failed_batch_is_at_worst_replayed_when_the_process_dies_right_after_it() {
    let Setup { root, disk, spool } = setup();
    spool.append(b"before".to_vec()).await.unwrap();
    disk.inject(Fault::Sync { lost: false });
    disk.inject(Fault::Truncate);
    spool.append(b"failed".to_vec()).await.unwrap_err();
    let replayed = replay(crash(root.path(), id(1)).path(), id(1));
    assert_eq!(replayed.records, [(1, b"before".to_vec()), (2, b"failed".to_vec())]);
}

#[tokio::test]
async fn no_room_for_a_segment_fails_until_there_is_some() {
    let Setup { root, disk, spool } = setup();
    for _ in 0..3 {
        disk.inject(Fault::Create);
        let failed = spool.append(b"failed".to_vec()).await.unwrap_err();
        assert!(matches!(failed, SpoolError::Io(error) if error.kind() == ErrorKind::StorageFull));
    }
    let sequence = spool.append(b"after".to_vec()).await.unwrap();
    assert_eq!(spool.depth(), 1);
    let replayed = replay(crash(root.path(), id(1)).path(), id(1));
    assert_eq!(replayed.records, [(sequence, b"after".to_vec())]);
    assert_eq!(replayed.missing, 0);
}

#[tokio::test]
async fn a_name_that_is_not_synced_is_not_acknowledged() {
    let Setup { root, disk, spool } = setup();
    disk.inject(Fault::SyncDirectory);
    spool.append(b"failed".to_vec()).await.unwrap_err();
    assert!(segments(root.path(), id(1)).is_empty());
    spool.append(b"after".to_vec()).await.unwrap();
}

#[tokio::test]
async fn a_short_write_is_gone_on_with() {
    let Setup { root, disk, spool } = setup();
    for bytes in [1, 20, 30] {
        disk.inject(Fault::ShortWrite(bytes));
    }
    spool.append(vec![7; 100]).await.unwrap();
    let replayed = replay(crash(root.path(), id(1)).path(), id(1));
    assert_eq!(replayed.records, [(1, vec![7; 100])]);
}

#[derive(Debug, Clone)]
enum Event {
    Append(Vec<usize>),
    Break(Fault),
}

fn event() -> impl Strategy<Value = Event> {
    let fault = prop_oneof![
        Just(Fault::Create),
        (0_usize..400).prop_map(Fault::ShortWrite),
        (0_usize..400).prop_map(Fault::Write),
        any::<bool>().prop_map(|lost| Fault::Sync { lost }),
        Just(Fault::SyncDirectory),
        Just(Fault::Truncate),
        Just(Fault::Remove),
    ];
    prop_oneof![
        2 => proptest::collection::vec(0_usize..300, 1..6).prop_map(Event::Append),
        1 => fault.prop_map(Event::Break),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(times(128, 5_000) as u32))]

    #[test]
    fn whatever_fails_the_acknowledged_records_are_replayed_once(
        events in proptest::collection::vec(event(), 1..30),
    ) {
        let Setup { root, disk, spool } = setup();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (mut acknowledged, mut refused, mut number) = (Vec::new(), Vec::new(), 0_u8);
        let mut append = |sizes: &[usize]| {
            let payloads: Vec<_> = sizes
                .iter()
                .map(|size| {
                    number = number.wrapping_add(1);
                    vec![number; *size]
                })
                .collect();
            let results = runtime.block_on(append_all(&spool, &payloads));
            for (result, payload) in results.into_iter().zip(payloads) {
                match result {
                    Ok(sequence) => acknowledged.push((sequence, payload)),
                    Err(_) => refused.push(payload),
                }
            }
            (acknowledged.clone(), refused.clone())
        };

        for event in events {
            let sizes = match event {
                Event::Break(fault) => {
                    disk.inject(fault);
                    continue;
                }
                Event::Append(sizes) => sizes,
            };
            let (acknowledged, refused) = append(&sizes);
            let replayed = replay(crash(root.path(), id(1)).path(), id(1));
            prop_assert!(replayed.records.is_sorted_by(|one, two| one.0 < two.0));
            let (found, extra): (Vec<_>, Vec<_>) =
                replayed.records.into_iter().partition(|record| acknowledged.contains(record));
            prop_assert_eq!(&found, &acknowledged);
            prop_assert!(extra.iter().all(|(_, payload)| refused.contains(payload)));
            let live = spool.reader().next_batch(usize::MAX, usize::MAX).unwrap();
            prop_assert_eq!((&live.records, live.damaged, live.missing), (&acknowledged, 0, 0));
            prop_assert_eq!(spool.depth(), acknowledged.len() as u64);
        }

        // Once a batch has succeeded after the last failure, not even traces of failed ones are left.
        disk.mend();
        let (acknowledged, _) = append(&[1]);
        let replayed = replay(crash(root.path(), id(1)).path(), id(1));
        prop_assert_eq!(&replayed.records, &acknowledged);
        prop_assert_eq!((replayed.damaged, replayed.missing), (0, 0));
    }
}
