//! Cut files and flipped bits: what was touched is lost and reported, everything else comes back.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::Index;
use tempfile::TempDir;
use weir_ingest::spool::{Batch, Spool, orphans};
use weir_testkit::faults::times;

use crate::disk::FaultyDisk;
use crate::support::{append_all, id, replay, segments, small_segments};

const HEADER: usize = 48;

/// A spool of a dead process, and where its records lie.
struct Wreck {
    root: TempDir,
    segments: Vec<Segment>,
}

struct Segment {
    path: PathBuf,
    bytes: Vec<u8>,
    frames: Vec<Frame>,
}

#[derive(Clone)]
struct Frame {
    span: Range<usize>,
    record: (u64, Vec<u8>),
}

impl Wreck {
    fn of(batches: &[Vec<Vec<u8>>]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let disk = Arc::new(FaultyDisk::default());
        let spool = Spool::create_on(disk, root.path(), id(1), small_segments()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for batch in batches {
            let results = runtime.block_on(append_all(&spool, batch));
            assert!(results.iter().all(Result::is_ok));
        }
        drop(spool);
        let mut records = (1..).zip(batches.concat()).peekable();
        let segments = segments(root.path(), id(1))
            .into_iter()
            .map(|path| {
                let bytes = fs::read(&path).unwrap();
                let (mut frames, mut start) = (Vec::new(), HEADER);
                while bytes.get(start).is_some_and(|byte| *byte != 0) {
                    let record = records.next().unwrap();
                    let span = start..start + 20 + record.1.len();
                    start = span.end;
                    frames.push(Frame { span, record });
                }
                Segment { path, bytes, frames }
            })
            .collect();
        assert!(records.peek().is_none());
        Self { root, segments }
    }

    /// Writes one segment anew, and replays.
    fn replay_with(&self, segment: usize, bytes: &[u8]) -> Batch {
        fs::write(&self.segments[segment].path, bytes).unwrap();
        replay(self.root.path(), id(1))
    }

    /// The records but those of one segment for which `keep` is false.
    fn records(&self, segment: usize, keep: impl Fn(&Frame) -> bool) -> Vec<(u64, Vec<u8>)> {
        let frames = self
            .segments
            .iter()
            .enumerate()
            .flat_map(|(number, other)| other.frames.iter().map(move |frame| (number, frame)));
        frames
            .filter(|(number, frame)| *number != segment || keep(frame))
            .map(|(_, frame)| frame.record.clone())
            .collect()
    }
}

/// Payloads that look like what a scan looks for, or like what ends it.
fn payload() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        (0_usize..80).prop_map(|zeros| vec![0; zeros]),
        Just(vec![0xF9, 0x57, 0xFE, 0x1D]),
        Just(vec![0xF9, 0x57, 0xFE, 0x1D, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]),
    ];
    proptest::collection::vec(part, 0..4).prop_map(|parts| parts.concat())
}

fn wreck() -> impl Strategy<Value = Wreck> {
    let batch = proptest::collection::vec(payload(), 1..8);
    proptest::collection::vec(batch, 1..10).prop_map(|batches| Wreck::of(&batches))
}

impl std::fmt::Debug for Wreck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let spans = |segment: &Segment| -> Vec<_> {
            segment.frames.iter().map(|frame| frame.span.clone()).collect()
        };
        f.debug_list().entries(self.segments.iter().map(spans)).finish()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(times(96, 5_000) as u32))]

    #[test]
    fn a_cut_costs_what_was_cut(wreck in wreck(), segment: Index, at: Index) {
        let segment = segment.index(wreck.segments.len());
        let Segment { bytes, frames, .. } = &wreck.segments[segment];
        let at = at.index(bytes.len());
        let batch = wreck.replay_with(segment, &bytes[..at]);

        let whole = wreck.records(segment, |frame| frame.span.end <= at);
        prop_assert_eq!(batch.records, whole);
        let newest = segment + 1 == wreck.segments.len();
        let lost = frames.iter().filter(|frame| frame.span.end > at).count() as u64;
        prop_assert_eq!(batch.missing, if newest { 0 } else { lost });
        let within_frame = frames.iter().any(|frame| frame.span.start < at && at < frame.span.end);
        let within_header = 0 < at && at < HEADER;
        prop_assert_eq!(batch.damaged, u64::from(within_frame || within_header));
    }

    #[test]
    fn a_flipped_bit_costs_one_record_at_most(
        wreck in wreck(),
        segment: Index,
        at: Index,
        bit in 0_u8..8,
    ) {
        let segment = segment.index(wreck.segments.len());
        let Segment { bytes, frames, .. } = &wreck.segments[segment];
        let at = at.index(bytes.len());
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        let batch = wreck.replay_with(segment, &flipped);

        let whole = wreck.records(segment, |frame| !frame.span.contains(&at));
        prop_assert_eq!(batch.records, whole);
        let newest = segment + 1 == wreck.segments.len();
        let hit = frames.iter().position(|frame| frame.span.contains(&at));
        let last = newest && hit == Some(frames.len() - 1);
        prop_assert_eq!(batch.missing, u64::from(hit.is_some() && !last));
        // Room behind the last record of an older segment is not even looked at.
        let unused = hit.is_none() && at >= HEADER;
        prop_assert_eq!(batch.damaged, u64::from(!unused || newest));
    }

    #[test]
    fn any_number_of_flipped_bits_costs_the_records_that_they_hit(
        wreck in wreck(),
        segment: Index,
        flips in proptest::collection::vec((any::<Index>(), 0_u8..8), 1..12),
    ) {
        let segment = segment.index(wreck.segments.len());
        let bytes = &wreck.segments[segment].bytes;
        let mut flipped = bytes.clone();
        for (at, bit) in flips {
            flipped[at.index(bytes.len())] ^= 1 << bit;
        }
        let batch = wreck.replay_with(segment, &flipped);
        let whole = wreck.records(segment, |frame| {
            flipped[frame.span.clone()] == bytes[frame.span.clone()]
        });
        prop_assert_eq!(batch.records, whole);
    }

    #[test]
    fn a_stretch_of_noise_costs_the_records_that_it_hits(
        wreck in wreck(),
        segment: Index,
        at: Index,
        noise in proptest::collection::vec(any::<u8>(), 1..700),
    ) {
        let segment = segment.index(wreck.segments.len());
        let bytes = &wreck.segments[segment].bytes;
        let mut noisy = bytes.clone();
        let at = at.index(bytes.len());
        let end = (at + noise.len()).min(bytes.len());
        noisy[at..end].copy_from_slice(&noise[..end - at]);
        let batch = wreck.replay_with(segment, &noisy);
        let whole = wreck.records(segment, |frame| {
            noisy[frame.span.clone()] == bytes[frame.span.clone()]
        });
        prop_assert_eq!(batch.records, whole);
        prop_assert!(batch.damaged <= 1);
    }
}

#[test]
fn a_stump_is_damage_however_much_is_settled() {
    let records: Vec<_> = (1..=9).map(|number| vec![number; 30]).collect();
    let wreck = Wreck::of(&[records]);
    let Segment { path, bytes, frames } = &wreck.segments[0];
    for settled in 0..frames.len() as u64 {
        for at in [1, HEADER - 1, HEADER + 1, HEADER + 19, frames[2].span.start + 5] {
            fs::write(path, &bytes[..at]).unwrap();
            let orphans = orphans(wreck.root.path(), id(u128::MAX)).unwrap();
            let batch = orphans[0].records(settled).unwrap().next_batch(99, 9_999).unwrap();
            assert_eq!(batch.damaged, 1, "cut at {at}, settled through {settled}");
        }
    }
}

#[tokio::test]
async fn damage_under_a_living_spool_is_reported_once_and_passed() {
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(1), small_segments()).unwrap();
    for number in 1..=3 {
        spool.append(vec![number; 100]).await.unwrap();
    }
    let path = &segments(root.path(), id(1))[0];
    let mut bytes = fs::read(path).unwrap();
    // The second and the last record: the end of a living segment is known.
    bytes[HEADER + 120 + 60] ^= 1;
    bytes[HEADER + 240 + 60] ^= 1;
    fs::write(path, bytes).unwrap();

    let mut reader = spool.reader();
    let batch = reader.next_batch(99, usize::MAX).unwrap();
    assert_eq!(batch.records, [(1, vec![1; 100])]);
    assert_eq!((batch.damaged, batch.missing, batch.through), (1, 2, 3));
    assert!(reader.next_batch(99, usize::MAX).unwrap().is_empty());
    spool.append(vec![4; 100]).await.unwrap();
    let batch = reader.next_batch(99, usize::MAX).unwrap();
    assert_eq!((batch.records, batch.damaged), (vec![(4, vec![4; 100])], 0));
}

#[test]
fn a_frame_hidden_in_a_payload_is_not_found_behind_damage() {
    // A record of a spool whose id is known is a payload of another: the best a sender could do.
    let known = Wreck::of(&[vec![b"forged".to_vec(), b"forged".to_vec(), b"forged".to_vec()]]);
    let hidden = known.segments[0].bytes[HEADER..HEADER + 78].to_vec();
    let root = tempfile::tempdir().unwrap();
    let spool = Spool::create(root.path(), id(2), small_segments()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for payload in [b"first".to_vec(), hidden, b"last".to_vec()] {
        runtime.block_on(spool.append(payload)).unwrap();
    }
    drop(spool);
    let path = &segments(root.path(), id(2))[0];
    let mut bytes = fs::read(path).unwrap();
    bytes[HEADER + 25] ^= 1;
    fs::write(path, bytes).unwrap();

    let batch = replay(root.path(), id(2));
    assert_eq!(batch.records, [(1, b"first".to_vec()), (3, b"last".to_vec())]);
    assert_eq!((batch.damaged, batch.missing), (1, 1));
}
