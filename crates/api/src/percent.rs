//! Percent-encoding.

/// Undoes percent-encoding; `None` where what comes out is not UTF-8. A stray `%` is itself.
pub(crate) fn decode(text: &str) -> Option<String> {
    let hex = |byte: &u8| char::from(*byte).to_digit(16);
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(high).zip(hex(low)),
            _ => None,
        };
        // Two hexadecimal digits make one byte.
        decoded.push(escaped.map_or(first, |(high, low)| (high << 4 | low) as u8));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        for (text, decoded) in [
            ("", Some("")),
            ("a+b", Some("a+b")),
            ("%37%C3%bc%25", Some("7ü%")),
            ("%", Some("%")),
            ("%7", Some("%7")),
            ("%zz%", Some("%zz%")),
            ("%ff", None),
            ("%C3", None),
        ] {
            assert_eq!(decode(text).as_deref(), decoded, "{text}");
        }
    }
}
