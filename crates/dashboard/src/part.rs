//! Lists on a page that shows other things too, of which a part is shown: a reseller may have any number of
//! names, keys and members, and a device any number of owners, and the page stays small.

use weir_store::Page;

use crate::forms::Fields;
use crate::paging::{self, Paging};

/// How many things such a list shows: few enough for the page to stay below 150 kB with the longest names.
const SHOWN: u32 = 10;

/// The field of a query that tells which list it turns over; the others begin with their first.
const LIST: &str = "list";

/// What is shown of a list.
pub struct Part<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// The ways on, where there is more.
    pub paging: Option<Paging>,
}

impl<T> Part<T> {
    /// What a query asks for of the list of that name on the page at `path`. The name is also where it stands
    /// on the page; the ways on keep what else the page shows.
    pub fn of<A>(
        path: &str,
        kept: &[(&str, &str)],
        name: &str,
        query: &Fields,
        all: impl ExactSizeIterator<Item = A>,
        row: impl FnMut(A) -> T,
    ) -> Self {
        let total = all.len() as u64;
        let offset = match query.text(LIST) == name {
            true => paging::asked_for(query).offset,
            false => 0,
        };
        let page = paging::within(Page { limit: SHOWN, offset }, total);
        let paging = (total > u64::from(SHOWN)).then(|| {
            let kept: Vec<_> = kept.iter().copied().chain([(LIST, name)]).collect();
            let mut paging = Paging::around(path, &kept, page, total);
            for way in [&mut paging.previous, &mut paging.next].into_iter().flatten() {
                *way = format!("{way}#{name}");
            }
            paging
        });
        let rows = all.skip(page.offset as usize).take(SHOWN as usize).map(row).collect();
        Self { rows, paging }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(count: u32, query: &str) -> Part<u32> {
        let query = Fields::parse(query.as_bytes());
        Part::of("/settings", &[("days", "7")], "keys", &query, 0..count, |row| row)
    }

    #[test]
    fn a_short_list_is_shown_whole() {
        for query in ["", "list=members&offset=10", "list=keys&offset=x"] {
            let part = part(SHOWN, query);
            assert_eq!((part.rows.len(), part.paging), (10, None), "{query}");
        }
    }

    #[test]
    fn a_long_list_is_turned_over() {
        let first = part(25, "list=members&offset=10");
        assert_eq!(first.rows, (0..10).collect::<Vec<_>>());
        let next = first.paging.unwrap().next.unwrap();
        assert_eq!(next, "/settings?days=7&list=keys&offset=10#keys");
        let last = part(25, "list=keys&offset=20");
        assert_eq!(last.rows, [20, 21, 22, 23, 24]);
        let paging = last.paging.unwrap();
        assert_eq!((paging.place.as_str(), paging.next), ("21–25 of 25", None));
        let beyond = part(25, "list=keys&offset=4000000000");
        assert_eq!(beyond.rows, [20, 21, 22, 23, 24], "the last ones there are");
    }
}
