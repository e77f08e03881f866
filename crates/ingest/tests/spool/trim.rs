//! Reading in batches, trimming, and the depth limit.

use weir_ingest::spool::{Options, Spool, SpoolError};

use crate::support::{id, segments, sequences, small_segments};

/// Ten records, three in each segment.
async fn ten(root: &std::path::Path) -> Spool {
    let spool = Spool::create(root, id(1), small_segments()).unwrap();
    for number in 0..10 {
        spool.append(vec![number; 250]).await.unwrap();
    }
    spool
}

#[tokio::test]
async fn segments_go_when_their_last_record_is_settled_but_never_the_newest() {
    let root = tempfile::tempdir().unwrap();
    let spool = ten(root.path()).await;
    assert_eq!(segments(root.path(), id(1)).len(), 4);
    for (through, left, depth) in [(2, 4, 8), (3, 3, 7), (9, 1, 1), (10, 1, 0), (99, 1, 0)] {
        spool.trim(through).unwrap();
        assert_eq!(segments(root.path(), id(1)).len(), left, "through {through}");
        assert_eq!(spool.depth(), depth, "through {through}");
    }
    assert_eq!(spool.append(b"more".to_vec()).await.unwrap(), 11);
    assert_eq!(spool.depth(), 1);
}

#[tokio::test]
async fn a_batch_is_limited_by_records_and_by_bytes_and_holds_at_least_one() {
    let root = tempfile::tempdir().unwrap();
    let spool = ten(root.path()).await;
    let mut reader = spool.reader();
    let mut next = |records, bytes| sequences(&reader.next_batch(records, bytes).unwrap());
    assert_eq!(next(4, usize::MAX), [1, 2, 3, 4]);
    assert_eq!(next(usize::MAX, 251), [5, 6]);
    assert_eq!(next(0, 0), [7]);
    assert_eq!(next(99, usize::MAX), [8, 9, 10]);
    assert!(next(99, usize::MAX).is_empty());
    spool.append(b"more".to_vec()).await.unwrap();
    assert_eq!(next(99, usize::MAX), [11]);
}

#[tokio::test]
async fn a_reader_can_go_back_as_far_as_there_is_something() {
    let root = tempfile::tempdir().unwrap();
    let spool = ten(root.path()).await;
    let mut reader = spool.reader();
    reader.next_batch(99, usize::MAX).unwrap();
    reader.rewind_to(5);
    let again = reader.next_batch(2, usize::MAX).unwrap();
    assert_eq!((sequences(&again), again.through), (vec![5, 6], 6));

    spool.trim(6).unwrap();
    reader.rewind_to(1);
    let again = reader.next_batch(99, usize::MAX).unwrap();
    assert_eq!((sequences(&again), again.missing), (vec![7, 8, 9, 10], 0));
}

#[tokio::test]
async fn a_living_segment_that_disappears_is_missed_and_the_rest_is_read() {
    let root = tempfile::tempdir().unwrap();
    let spool = ten(root.path()).await;
    std::fs::remove_file(&segments(root.path(), id(1))[1]).unwrap();
    let batch = spool.reader().next_batch(99, usize::MAX).unwrap();
    assert_eq!(sequences(&batch), [1, 2, 3, 7, 8, 9, 10]);
    assert_eq!((batch.missing, batch.through), (3, 10));
}

#[tokio::test]
async fn no_more_records_wait_than_allowed() {
    let root = tempfile::tempdir().unwrap();
    let options = Options { max_pending: 3, ..Options::default() };
    let spool = Spool::create(root.path(), id(1), options).unwrap();
    for _ in 0..3 {
        spool.append(b"record".to_vec()).await.unwrap();
    }
    let refused = spool.append(b"record".to_vec()).await;
    assert!(matches!(refused, Err(SpoolError::Full { limit: 3 })));
    assert_eq!(spool.depth(), 3);

    spool.trim(1).unwrap();
    assert_eq!(spool.append(b"record".to_vec()).await.unwrap(), 4);
    let refused = spool.append(b"record".to_vec()).await;
    assert!(matches!(refused, Err(SpoolError::Full { limit: 3 })));
}

#[tokio::test]
async fn a_settled_spool_can_be_removed_and_an_unsettled_one_cannot() {
    let root = tempfile::tempdir().unwrap();
    let directory = root.path().join(id(1).to_string());
    let spool = ten(root.path()).await;
    spool.trim(9).unwrap();
    let refused = spool.remove().unwrap_err();
    assert!(refused.to_string().contains("1 records"), "{refused}");
    assert!(directory.exists());

    let settled = Spool::create(root.path(), id(2), Options::default()).unwrap();
    settled.append(b"record".to_vec()).await.unwrap();
    settled.trim(1).unwrap();
    settled.remove().unwrap();
    assert!(!root.path().join(id(2).to_string()).exists());
}
