//! What an answer has to be, so that a wrong one is never timed as a fast one.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::connection::Answer;

/// How many devices a page holds.
pub const PAGE: u64 = 50;

/// What is known of the right answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// A page of the list of devices.
    Page {
        /// How many come before it.
        offset: u64,
        /// How many match on all pages, where that does not depend on the moment.
        total: Option<u64>,
    },
    /// A number, or how many things are in a list.
    Count {
        /// Where it is, as a JSON pointer.
        at: &'static str,
        /// What it can be.
        within: RangeInclusive<u64>,
    },
    /// A text.
    Text {
        /// Where it is, as a JSON pointer.
        at: &'static str,
        /// What it is.
        is: String,
    },
}

impl Expected {
    /// Whether an answer is right; an error says what is wrong with it.
    pub fn check(&self, answer: &Answer<'_>) -> Result<(), String> {
        if answer.status != 200 {
            let said = String::from_utf8_lossy(answer.body);
            return Err(format!("status {}: {said}", answer.status));
        }
        let body: Value =
            serde_json::from_slice(answer.body).map_err(|error| format!("no JSON: {error}"))?;
        match self {
            Self::Page { offset, total } => check_page(&body, answer.total, *offset, *total),
            Self::Count { at, within } => {
                let found = count(&body, at).ok_or_else(|| format!("no count at {at}"))?;
                let is_right = within.contains(&found);
                is_right.then_some(()).ok_or_else(|| format!("{found} at {at}, not {within:?}"))
            }
            Self::Text { at, is } => {
                let found = body.pointer(at).and_then(Value::as_str);
                let is_right = found == Some(is);
                is_right.then_some(()).ok_or_else(|| format!("{found:?} at {at}, not {is:?}"))
            }
        }
    }
}

fn check_page(
    body: &Value,
    found: Option<u64>,
    offset: u64,
    total: Option<u64>,
) -> Result<(), String> {
    let found = found.ok_or("no X-Total-Count")?;
    if let Some(total) = total.filter(|total| *total != found) {
        return Err(format!("{found} devices match, not {total}"));
    }
    let (shown, due) = (count(body, "/data"), found.saturating_sub(offset).min(PAGE));
    if shown == Some(due) { Ok(()) } else { Err(format!("{shown:?} devices on a page, not {due}")) }
}

/// A number, or how many things are in a list.
fn count(body: &Value, at: &str) -> Option<u64> {
    let found = body.pointer(at)?;
    found.as_u64().or_else(|| Some(found.as_array()?.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: &Expected, total: Option<u64>, body: &str) -> Result<(), String> {
        expected.check(&Answer { status: 200, total, head: b"", body: body.as_bytes() })
    }

    #[test]
    fn a_page_is_as_long_as_there_are_devices_left() {
        let page = Expected::Page { offset: 100, total: Some(102) };
        assert_eq!(check(&page, Some(102), r#"{"data":[{},{}]}"#), Ok(()));
        assert!(check(&page, Some(102), r#"{"data":[{}]}"#).is_err());
        assert!(check(&page, Some(101), r#"{"data":[{}]}"#).is_err());
        assert!(check(&page, None, r#"{"data":[{},{}]}"#).is_err());
        assert!(check(&page, Some(102), "[").is_err());
        let any = Expected::Page { offset: 0, total: None };
        assert_eq!(check(&any, Some(1), r#"{"data":[{}]}"#), Ok(()));
        assert!(check(&any, Some(51), r#"{"data":[{}]}"#).is_err());
    }

    #[test]
    fn counts_and_texts_are_looked_up() {
        let days = Expected::Count { at: "/data/days", within: 2..=3 };
        assert_eq!(check(&days, None, r#"{"data":{"days":[0,0]}}"#), Ok(()));
        assert_eq!(check(&days, None, r#"{"data":{"days":3}}"#), Ok(()));
        assert!(check(&days, None, r#"{"data":{"days":[0]}}"#).is_err());
        assert!(check(&days, None, r#"{"data":{}}"#).is_err());
        let eui = Expected::Text { at: "/data/dev_eui", is: "70b3".into() };
        assert_eq!(check(&eui, None, r#"{"data":{"dev_eui":"70b3"}}"#), Ok(()));
        assert!(check(&eui, None, r#"{"data":{"dev_eui":"70b4"}}"#).is_err());
    }

    #[test]
    fn only_a_success_is_right() {
        let page = Expected::Page { offset: 0, total: None };
        let answer = Answer { status: 503, total: Some(0), head: b"", body: br#"{"data":[]}"# };
        assert!(page.check(&answer).unwrap_err().contains("503"));
    }
}
