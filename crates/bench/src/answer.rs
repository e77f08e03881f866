//! The head of an HTTP answer: as much of HTTP/1.1 as measuring needs.

use crate::failure::Failure;

/// What the head of an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// How many bytes the head has, with the empty line.
    pub length: usize,
    /// How many bytes of body follow it.
    pub body: usize,
    /// Whether the server closes the connection after it.
    pub closes: bool,
}

impl Head {
    /// Reads the head at the start of `bytes`; `None` where it has not arrived completely.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, Failure> {
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            return Ok(None);
        };
        let mut lines = bytes[..end].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let status = lines.next().and_then(status).ok_or(Failure::Unreadable("no status line"))?;
        let mut head = Self { status, length: end + 4, body: 0, closes: false };
        let mut is_sized = false;
        for line in lines {
            if let Some(value) = value_of(line, b"content-length") {
                head.body = number(value).ok_or(Failure::Unreadable("a bad Content-Length"))?;
                is_sized = true;
            } else if let Some(value) = value_of(line, b"connection") {
                head.closes = value.eq_ignore_ascii_case(b"close");
            }
        }
        if is_sized { Ok(Some(head)) } else { Err(Failure::Unreadable("no Content-Length")) }
    }
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
        let head = Head { status: 403, length, body: 12, closes: false };
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
        assert!(head.closes && head.status == 503 && head.body == 0);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for answer in [
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: +1\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\ncontent-length: 1\r\n\r\n",
            "HTTP/1.1 20\r\ncontent-length: 1\r\n\r\n",
            "SSH-2.0\r\ncontent-length: 1\r\n\r\n",
        ] {
            assert!(Head::parse(answer.as_bytes()).is_err(), "{answer:?}");
        }
    }
}
