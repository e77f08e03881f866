//! Long lists, page by page.

use url::form_urlencoded;
use weir_app::AppResult;
use weir_store::Page;

use crate::format;
use crate::forms::Fields;

/// How many things a page of a list shows.
const PER_PAGE: u32 = 50;

/// The field of a query that tells how many things are passed over.
const OFFSET: &str = "offset";

/// Where one is in a list, and the ways on. `paging.html` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paging {
    /// What is shown of how much: `51–100 of 1,234`.
    pub place: String,
    /// The page before.
    pub previous: Option<String>,
    /// The page after.
    pub next: Option<String>,
}

/// Which page of a list a query asks for. What makes no sense asks for the first.
pub fn asked_for(query: &Fields) -> Page {
    let offset = query.text(OFFSET).parse::<u32>().unwrap_or_default();
    Page { limit: PER_PAGE, offset: offset.into() }
}

/// Reads the page that is asked for, or where that lies beyond the end, the last one that has anything;
/// with the page that it is, and how much there is on all of them.
pub fn read<T>(
    page: Page,
    mut list: impl FnMut(Page) -> AppResult<(T, u64)>,
) -> AppResult<(T, Page, u64)> {
    let (found, total) = list(page)?;
    let within = within(page, total);
    if within == page {
        return Ok((found, page, total));
    }
    let (found, total) = list(within)?;
    Ok((found, within, total))
}

/// The same page, or where that lies beyond the end of a list, the last one that has anything.
pub fn within(page: Page, total: u64) -> Page {
    if page.offset < total {
        return page;
    }
    let limit = u64::from(page.limit).max(1);
    Page { offset: total.saturating_sub(1) / limit * limit, ..page }
}

/// A page as the query of an address that keeps what the list was narrowed down by.
pub fn words(kept: &[(&str, &str)], page: Page) -> String {
    let kept = kept.iter().filter(|(_, value)| !value.is_empty());
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(kept).append_pair(OFFSET, &page.offset.to_string());
    query.finish()
}

impl Paging {
    /// Around a page of a list at a path that has `total` things. The ways on keep what the list was
    /// narrowed down by.
    pub fn around(path: &str, kept: &[(&str, &str)], page: Page, total: u64) -> Self {
        let limit = u64::from(page.limit);
        let end = page.offset.saturating_add(limit).min(total);
        let way = |offset: u64| format!("{path}?{}", words(kept, Page { offset, ..page }));
        let last = within(Page { offset: total, ..page }, total).offset;
        Self {
            place: match page.offset < total {
                true => {
                    let [first, last, all] = [page.offset + 1, end, total].map(format::number);
                    format!("{first}–{last} of {all}")
                }
                false => format!("0 of {}", format::number(total)),
            },
            previous: (page.offset > 0).then(|| way(page.offset.saturating_sub(limit).min(last))),
            next: (end < total).then(|| way(end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(offset: u64, total: u64) -> Paging {
        let page = Page { limit: PER_PAGE, offset };
        Paging::around("/customers", &[("search", "a&b"), ("customer", "")], page, total)
    }

    #[test]
    fn ways_lead_on_where_there_is_more() {
        let only = around(0, 50);
        assert_eq!((only.place.as_str(), only.previous, only.next), ("1–50 of 50", None, None));
        let middle = around(50, 1_234);
        assert_eq!(middle.place, "51–100 of 1,234");
        assert_eq!(middle.previous.unwrap(), "/customers?search=a%26b&offset=0");
        assert_eq!(middle.next.unwrap(), "/customers?search=a%26b&offset=100");
        let beyond = around(4_000, 120);
        assert_eq!(beyond.previous.unwrap(), "/customers?search=a%26b&offset=100");
        assert_eq!((beyond.place.as_str(), beyond.next), ("0 of 120", None));
        assert_eq!(around(0, 0).place, "0 of 0");
    }

    #[test]
    fn from_beyond_the_end_the_last_page_is_read() {
        let mut asked = Vec::new();
        let mut read_of = |offset, total| {
            let page = Page { limit: PER_PAGE, offset };
            let list = |page: Page| {
                asked.push(page.offset);
                Ok(((), total))
            };
            read(page, list).unwrap().1.offset
        };
        assert_eq!([read_of(50, 51), read_of(50, 50), read_of(9_000, 120)], [50, 0, 100]);
        assert_eq!(read_of(0, 0), 0);
        assert_eq!(asked, [50, 50, 0, 9_000, 100, 0]);
    }

    #[test]
    fn what_makes_no_sense_asks_for_the_first_page() {
        for (query, offset) in [("", 0), ("offset=100", 100), ("offset=-1", 0), ("offset=x", 0)] {
            assert_eq!(asked_for(&Fields::parse(query.as_bytes())).offset, offset, "{query}");
        }
    }
}
