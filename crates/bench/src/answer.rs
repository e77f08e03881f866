//! The head of an HTTP answer: as much of HTTP/1.1 as measuring needs.

use crate::failure::Failure;

/// How long the body of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// So many bytes.
    Sized(usize),
    /// It comes in chunks, and says when it is over.
    Chunked,
}

/// What the head of an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// How many bytes the head has, with the empty line.
    pub length: usize,
    /// What follows it.
    pub body: Body,
    /// How many things match, where the answer is a page of them.
    pub total: Option<u64>,
    /// Whether the server closes the connection after it.
    pub closes: bool,
}

impl Head {
    /// Reads the head at the start of `bytes`; `None` where it has not arrived completely. It goes
    /// over them once, for it is most of what measuring itself costs.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, Failure> {
        let (mut body, mut total, mut closes) = (None, None, false);
        let Some((first, mut next)) = line(bytes, 0) else { return Ok(None) };
        loop {
            let Some((line, after)) = line(bytes, next) else { return Ok(None) };
            next = after;
            match line.first().map(u8::to_ascii_lowercase) {
                None => break,
                Some(b'c' | b't' | b'x') => {}
                Some(_) => continue,
            }
            if let Some(value) = value_of(line, b"content-length") {
                let size = number(value).ok_or(Failure::Unreadable("a bad Content-Length"))?;
                body = Some(Body::Sized(size));
            } else if let Some(value) = value_of(line, b"transfer-encoding") {
                body = value.eq_ignore_ascii_case(b"chunked").then_some(Body::Chunked);
            } else if let Some(value) = value_of(line, b"x-total-count") {
                let count = number(value).ok_or(Failure::Unreadable("a bad X-Total-Count"))?;
                total = Some(count as u64);
            } else if let Some(value) = value_of(line, b"connection") {
                closes = value.eq_ignore_ascii_case(b"close");
            }
        }
        let status = status(first).ok_or(Failure::Unreadable("no status line"))?;
        let body = body.ok_or(Failure::Unreadable("a body of unknown length"))?;
        Ok(Some(Self { status, length: next, body, total, closes }))
    }
}

/// The line that begins there, and where the next one does.
fn line(bytes: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let rest = &bytes[start..];
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let line = &rest[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), start + end + 1))
}

fn status(line: &[u8]) -> Option<u16> {
    let rest = line.strip_prefix(b"HTTP/1.1 ")?;
    number(rest.get(..3)?)?.try_into().ok()
}

/// The value of a header line, if the line is that header's.
fn value_of<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (found, rest) = line.split_at_checked(name.len())?;
    let value = rest.strip_prefix(b":")?;
    found.eq_ignore_ascii_case(name).then(|| value.trim_ascii())
}

fn number(digits: &[u8]) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &[u8] = b"HTTP/1.1 403 Forbidden\r\nContent-LENGTH:  12 \r\nx: connection: close\
        \r\n\r\n{\"a\":\"\r\n\r\n\"}";

    #[test]
    fn a_head_is_read_wherever_it_is_cut() {
        let length = ANSWER.len() - 12;
        let head = Head { status: 403, length, body: Body::Sized(12), total: None, closes: false };
        assert_eq!(Head::parse(ANSWER).unwrap(), Some(head));
        for cut in 0..ANSWER.len() {
            let expected = (cut >= length).then_some(head);
            assert_eq!(Head::parse(&ANSWER[..cut]).unwrap(), expected, "cut at {cut}");
        }
    }

    #[test]
    fn a_server_may_close() {
        let answer =
            b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\ncontent-length: 0\r\n\r\n";
        let head = Head::parse(answer).unwrap().unwrap();
        assert!(head.closes && head.status == 503 && head.body == Body::Sized(0));
    }

    #[test]
    fn a_page_says_how_many_match_and_a_stream_that_it_has_no_length() {
        let answer = b"HTTP/1.1 200 OK\r\nX-Total-Count: 120\r\nTransfer-Encoding: chunked\r\n\r\n";
        let head = Head::parse(answer).unwrap().unwrap();
        assert_eq!((head.body, head.total), (Body::Chunked, Some(120)));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for answer in [
            "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\ndate: today\r\n\r\n",
            "HTTP/1.1 200 OK\r\nx-total-count: many\r\ncontent-length: 1\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\ncontent-length: 1\r\n\r\n",
            "HTTP/1.1 20\r\ncontent-length: 1\r\n\r\n",
            "SSH-2.0\r\ncontent-length: 1\r\n\r\n",
        ] {
            assert!(Head::parse(answer.as_bytes()).is_err(), "{answer:?}");
        }
    }
}
