//! In which encoding callers want answers.

use http::HeaderMap;
use http::header::ACCEPT_ENCODING;

/// Lets callers who refuse a plain answer have one all the same. By the time that it shows that there is
/// no other, the request has done what it asked for, and 406 would hide that.
pub(crate) fn allow_plain(headers: &mut HeaderMap) {
    let refused = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    if refused.is_some_and(|value| value.split(',').any(refuses_plain)) {
        headers.remove(ACCEPT_ENCODING);
    }
}

/// Whether a part of the header refuses what is not encoded: `identity;q=0`, `*;q=0.0`.
fn refuses_plain(part: &str) -> bool {
    let Some((coding, weight)) = part.split_once(';') else { return false };
    let weight = weight.trim().to_ascii_lowercase();
    let weight = weight.strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
    let coding = coding.trim();
    (coding == "*" || coding.eq_ignore_ascii_case("identity")) && weight == Some(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_answer_cannot_be_refused() {
        for (value, is_kept) in [
            ("gzip, br", true),
            ("gzip;q=0.5, *;q=0.1", true),
            ("gzip;q=0", true),
            ("identity;q=0", false),
            ("gzip, *; q=0.000", false),
            ("Identity ;Q=0, gzip", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, value.parse().unwrap());
            allow_plain(&mut headers);
            assert_eq!(headers.contains_key(ACCEPT_ENCODING), is_kept, "{value}");
        }
    }
}
