//! Finding frames in a file, past whatever is wrong with it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::frame::{Frame, MAX_FRAME_BYTES, OVERHEAD_BYTES, SYNC, Seal};

/// Read at a time. Larger than any frame, so that one read is enough to judge the next one.
const CHUNK_BYTES: u64 = 2 * MAX_FRAME_BYTES as u64;

/// The frames of a file between two offsets, in the order of the file.
#[derive(Debug)]
pub(super) struct Frames {
    file: File,
    seal: Seal,
    /// The highest sequence that can be true: a frame with a greater one is no frame.
    highest: u64,
    /// Where the next read from the file begins.
    offset: u64,
    /// Nothing is read from here on.
    end: u64,
    window: Vec<u8>,
    /// How much of the window is done with.
    done: usize,
}

/// The next thing in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    /// Bytes were skipped that are no frame.
    pub(super) damaged: bool,
    /// The frame behind them; none at the end.
    pub(super) frame: Option<Frame<'a>>,
}

impl Frames {
    /// The frames from `offset` on; none before [`Frames::extend`] says that there are any.
    pub(super) fn new(file: File, seal: Seal, offset: u64) -> Self {
        Self { file, seal, highest: 0, offset, end: offset, window: Vec::new(), done: 0 }
    }

    /// Says up to which byte and which sequence there are frames now.
    pub(super) fn extend(&mut self, end: u64, highest: u64) {
        self.end = end;
        self.highest = highest;
    }

    /// The highest sequence that can still come.
    pub(super) fn highest(&self) -> u64 {
        self.highest
    }

    /// Goes to the next sound frame. Zeros up to the end are no damage: they are room not used.
    pub(super) fn step(&mut self) -> io::Result<Step<'_>> {
        let (mut skipped, mut dirty) = (false, false);
        loop {
            self.refill()?;
            let rest = &self.window[self.done..];
            if rest.is_empty() {
                return Ok(Step { damaged: dirty, frame: None });
            }
            let frame =
                Frame::decode(self.seal, rest).filter(|frame| frame.sequence <= self.highest);
            if let Some(frame) = frame {
                let (sequence, end) = (frame.sequence, self.done + frame.encoded_bytes());
                let payload = self.done + OVERHEAD_BYTES..end;
                self.done = end;
                return Ok(Step {
                    damaged: skipped,
                    frame: Some(Frame { sequence, payload: &self.window[payload] }),
                });
            }
            let skip = self.bytes_to_next_candidate();
            dirty |= rest[..skip].iter().any(|byte| *byte != 0);
            skipped = true;
            self.done += skip;
        }
    }

    /// How far it is to the next place where a frame could begin, at least one byte.
    fn bytes_to_next_candidate(&self) -> usize {
        let rest = &self.window[self.done..];
        let found = rest[1..].windows(SYNC.len()).position(|four| four == SYNC);
        match found {
            Some(at) => at + 1,
            None if self.offset == self.end => rest.len(),
            // The window may end within a sync word: its last bytes are looked at again.
            None => rest.len().saturating_sub(SYNC.len() - 1).max(1),
        }
    }

    /// Sees to it that the window holds a whole frame, or all there is.
    fn refill(&mut self) -> io::Result<()> {
        while self.window.len() - self.done < MAX_FRAME_BYTES && self.offset < self.end {
            self.window.drain(..self.done);
            self.done = 0;
            let kept = self.window.len();
            let wanted = (self.end - self.offset).min(CHUNK_BYTES);
            self.window.resize(kept + wanted as usize, 0);
            let read = self.file.read_at(&mut self.window[kept..], self.offset);
            self.window.truncate(kept + read.as_ref().copied().unwrap_or(0));
            match read {
                // The file is shorter than it was said to be: somebody cut it.
                Ok(0) => self.end = self.offset,
                Ok(bytes) => self.offset += bytes as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use uuid::Uuid;
    use weir_domain::SpoolId;

    use super::*;

    fn seal() -> Seal {
        Seal::of(SpoolId::from_uuid(Uuid::from_u128(1)))
    }

    fn encoded(sequence: u64, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        Frame { sequence, payload }.encode(seal(), &mut bytes);
        bytes
    }

    fn frames(parts: &[&[u8]]) -> Frames {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&parts.concat()).unwrap();
        let end = file.metadata().unwrap().len();
        let mut frames = Frames::new(file, seal(), 0);
        frames.extend(end, 100);
        frames
    }

    /// Sequences and lengths, with 0 for each damaged stretch.
    fn walk(mut frames: Frames) -> Vec<(u64, usize)> {
        let mut found = Vec::new();
        loop {
            let step = frames.step().unwrap();
            found.extend(step.damaged.then_some((0, 0)));
            let Some(frame) = step.frame else {
                return found;
            };
            found.push((frame.sequence, frame.payload.len()));
        }
    }

    #[test]
    fn zeros_are_an_end_but_not_a_middle() {
        let (one, two) = (encoded(1, b"a"), encoded(2, b"bc"));
        assert_eq!(walk(frames(&[&one, &two, &[0; 99]])), [(1, 1), (2, 2)]);
        assert_eq!(walk(frames(&[&one, &[0; 99], &two])), [(1, 1), (0, 0), (2, 2)]);
        assert_eq!(walk(frames(&[&[0; 99]])), []);
    }

    #[test]
    fn a_begun_frame_at_the_end_is_damage() {
        let (one, two) = (encoded(1, b"a"), encoded(2, b"bc"));
        assert_eq!(walk(frames(&[&one, &two[..21]])), [(1, 1), (0, 0)]);
        assert_eq!(walk(frames(&[&one, &two[..1]])), [(1, 1), (0, 0)]);
    }

    #[test]
    fn a_sequence_that_cannot_be_is_damage() {
        assert_eq!(walk(frames(&[&encoded(101, b"a")])), [(0, 0)]);
    }

    #[test]
    fn frames_are_found_wherever_a_read_ends() {
        let (noise, largest) = (vec![7; CHUNK_BYTES as usize], vec![1; MAX_FRAME_BYTES - 20]);
        for shift in 0..6 {
            let noise = &noise[shift..];
            let parts: [&[u8]; 4] = [noise, &encoded(1, b"a"), &noise[9..], &encoded(2, &largest)];
            let expected = [(0, 0), (1, 1), (0, 0), (2, largest.len())];
            assert_eq!(walk(frames(&parts)), expected);
        }
    }

    #[test]
    fn a_file_cut_behind_our_back_just_ends() {
        let mut frames = frames(&[&encoded(1, b"a")]);
        frames.extend(1 << 20, 100);
        assert_eq!(walk(frames), [(1, 1)]);
    }
}
