//! Bodies that come in chunks, for the server does not know their length beforehand.

use std::ops::Range;

use crate::failure::Failure;

/// How far a chunked body has been understood.
#[derive(Debug, Default)]
pub struct Chunks {
    /// Where the next chunk begins.
    next: usize,
    /// Where the contents of the chunks are.
    contents: Vec<Range<usize>>,
}

impl Chunks {
    /// Looks at what has arrived of a body so far, and returns its length once it is complete.
    pub fn advance(&mut self, body: &[u8]) -> Result<Option<usize>, Failure> {
        loop {
            let rest = body.get(self.next..).unwrap_or_default();
            let Some(line) = rest.windows(2).position(|window| window == b"\r\n") else {
                return Ok(None);
            };
            let size = size(&rest[..line]).ok_or(Failure::Unreadable("a bad chunk size"))?;
            let start = self.next + line + 2;
            let end = start + size;
            match body.get(end..end + 2) {
                None => return Ok(None),
                Some(b"\r\n") if size == 0 => return Ok(Some(end + 2)),
                Some(b"\r\n") => self.contents.push(start..end),
                Some(_) => return Err(Failure::Unreadable("a chunk does not end as it should")),
            }
            self.next = end + 2;
        }
    }

    /// Moves the contents together, at the front of the body, and returns their length.
    pub fn join(&self, body: &mut [u8]) -> usize {
        let mut length = 0;
        for content in &self.contents {
            body.copy_within(content.clone(), length);
            length += content.len();
        }
        length
    }
}

/// The size that a chunk begins with; extensions of it mean nothing here.
fn size(line: &[u8]) -> Option<usize> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii();
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_number)?;
    usize::from_str_radix(digits, 16).ok().filter(|size| *size <= u32::MAX as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = b"5\r\nwater\r\nB;note=1\r\n\r\n flows \r\n\r\n0\r\n\r\n";

    #[test]
    fn a_body_is_joined_wherever_it_was_cut() {
        for cut in 0..BODY.len() {
            let mut chunks = Chunks::default();
            assert_eq!(chunks.advance(&BODY[..cut]).unwrap(), None, "cut at {cut}");
            assert_eq!(chunks.advance(BODY).unwrap(), Some(BODY.len()), "cut at {cut}");
            let mut body = BODY.to_vec();
            let length = chunks.join(&mut body);
            assert_eq!(&body[..length], b"water\r\n flows \r\n", "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_chunk_is_refused() {
        for body in ["x\r\n", "\r\n", "+1\r\na\r\n", "1\r\nabc", "fffffffffff\r\n"] {
            assert!(Chunks::default().advance(body.as_bytes()).is_err(), "{body:?}");
        }
    }
}
