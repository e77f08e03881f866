//! Appending: what is acknowledged, when, and together with what.

use std::collections::HashSet;
use std::sync::Arc;

use weir_ingest::spool::{MAX_PAYLOAD_BYTES, Options, Spool, SpoolError};

use crate::disk::FaultyDisk;
use crate::support::{append_all, crash, id, replay, sequences, small_segments, start};

#[tokio::test]
async fn what_waits_is_synced_together_and_answered_after_the_sync() {
    let root = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let stall = disk.stall();
    let spool =
        Spool::create_on(Arc::new(disk.clone()), root.path(), id(1), Options::default()).unwrap();

    let mut first = start(&spool, "first").await;
    stall.entered();
    let mut waiting = Vec::new();
    for number in 0..99 {
        waiting.push(start(&spool, format!("record {number}")).await);
    }
    assert!(first.is_waiting().await);
    assert_eq!((spool.durable(), spool.depth()), (0, 0));
    assert!(spool.reader().next_batch(9, 9).unwrap().is_empty());

    stall.release();
    assert_eq!(first.finish().await.unwrap(), 1);
    for (append, sequence) in waiting.into_iter().zip(2..) {
        assert_eq!(append.finish().await.unwrap(), sequence);
    }
    assert_eq!(disk.syncs(), 2);
    assert_eq!((spool.durable(), spool.depth()), (100, 100));
}

#[tokio::test]
async fn every_acknowledged_record_outlives_a_crash() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), small_segments()).unwrap();
    let payloads: Vec<_> = (0..100_usize).map(|size| vec![size as u8; size * 3]).collect();
    for some in payloads.chunks(9) {
        append_all(&spool, some).await.into_iter().for_each(|result| {
            result.unwrap();
        });
    }

    let crashed = crash(root.path(), id(1));
    let replayed = replay(crashed.path(), id(1));
    assert_eq!((replayed.damaged, replayed.missing, replayed.through), (0, 0, 100));
    let expected: Vec<_> = (1..).zip(payloads).collect();
    assert_eq!(replayed.records, expected);
}

#[tokio::test]
async fn the_longest_record_comes_back_and_a_longer_one_is_refused() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), small_segments()).unwrap();
    let longest = vec![7; MAX_PAYLOAD_BYTES];
    let refused = spool.append(vec![7; MAX_PAYLOAD_BYTES + 1]).await;
    assert!(matches!(refused, Err(SpoolError::TooLong { .. })));
    assert_eq!(spool.append(longest.clone()).await.unwrap(), 1);
    assert_eq!(spool.append(Vec::new()).await.unwrap(), 2);

    let batch = spool.reader().next_batch(10, usize::MAX).unwrap();
    assert_eq!(batch.records, [(1, longest), (2, Vec::new())]);
}

#[tokio::test]
async fn more_than_the_queue_holds_is_refused_at_once() {
    let root = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let stall = disk.stall();
    let options = Options { queue: 2, ..Options::default() };
    let spool = Spool::create_on(Arc::new(disk), root.path(), id(1), options).unwrap();

    let first = start(&spool, "first").await;
    stall.entered();
    let (second, third) = (start(&spool, "second").await, start(&spool, "third").await);
    let refused = spool.append(b"fourth".to_vec()).await;
    assert!(matches!(refused, Err(SpoolError::QueueFull)));
    stall.release();
    assert_eq!(first.finish().await.unwrap(), 1);
    assert_eq!(second.finish().await.unwrap(), 2);
    assert_eq!(third.finish().await.unwrap(), 3);
}

#[tokio::test]
async fn closing_writes_what_is_queued_and_takes_no_more() {
    let root = tempfile::tempdir().unwrap();
    let disk = FaultyDisk::default();
    let stall = disk.stall();
    let spool = Spool::create_on(Arc::new(disk), root.path(), id(1), Options::default()).unwrap();
    let first = start(&spool, "first").await;
    stall.entered();
    let second = start(&spool, "second").await;
    stall.release();
    spool.close();
    assert_eq!(spool.durable(), 2);
    assert_eq!(first.finish().await.unwrap(), 1);
    assert_eq!(second.finish().await.unwrap(), 2);
    assert!(matches!(spool.append(Vec::new()).await, Err(SpoolError::Closed)));
    assert_eq!(spool.wait_beyond(1).await, Some(2));
    assert_eq!(spool.wait_beyond(2).await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_writers_and_a_follower_agree_on_one_order() {
    const TASKS: u64 = 32;
    const EACH: u64 = 50;
    let root = tempfile::tempdir().unwrap();
    let spool = Arc::new(Spool::create(root.path(), id(1), small_segments()).unwrap());
    let mut writers = tokio::task::JoinSet::new();
    for task in 0..TASKS {
        let spool = Arc::clone(&spool);
        writers.spawn(async move {
            let mut last = 0;
            for number in 0..EACH {
                let sequence = spool.append(format!("{task} {number}").into_bytes()).await.unwrap();
                assert!(sequence > last);
                assert!(spool.durable() >= sequence);
                last = sequence;
            }
        });
    }

    let mut reader = spool.reader();
    let (mut read, mut payloads) = (0, HashSet::new());
    while read < TASKS * EACH {
        spool.wait_beyond(read).await.unwrap();
        let batch = reader.next_batch(11, 200).unwrap();
        assert_eq!((batch.damaged, batch.missing), (0, 0));
        let expected: Vec<_> = (read + 1..=batch.through).collect();
        assert_eq!(sequences(&batch), expected);
        read = batch.through;
        payloads.extend(batch.records.into_iter().map(|(_, payload)| payload));
        spool.trim(read).unwrap();
    }
    while let Some(writer) = writers.join_next().await {
        writer.unwrap();
    }
    assert_eq!(payloads.len() as u64, TASKS * EACH);
    assert_eq!((spool.depth(), spool.durable()), (0, TASKS * EACH));
}
