//! The figures of pages as tables for people, one for each store.

use super::figures::{LARGEST, Page, Pages, SOON_MS};
use crate::run::Measured;
use crate::table::{goal, grouped, sentence};

/// The table of one store.
pub fn render(Measured { store, note, figures }: &Measured<Pages>) -> String {
    let mut text = format!("Pages of the demonstration on {store}, in ms\n\n");
    text.push_str(&line(["page", "first", "median", "p99", "bytes", "target"]));
    for page in &figures.pages {
        text.push_str(&row(page));
    }
    text.push('\n');
    text.push_str(&goal("from the link to the first page", figures.from_link_ms));
    sentence(&mut text, "", "first: after a start, with styles and scripts; so are the bytes");
    if let Some(note) = note {
        sentence(&mut text, "", &format!("note: {note}"));
    }
    text
}

fn row(page: &Page) -> String {
    let ms = |figure: f64| format!("{figure:.2}");
    let verdict = if page.is_reached() { "reached" } else { "missed" };
    let target = format!("{SOON_MS} ms, {} bytes, {verdict}", grouped(LARGEST as u64));
    let [first, median, p99] = [page.first_ms.figure, page.median_ms, page.p99_ms.figure].map(ms);
    let bytes = grouped(page.bytes.figure as u64);
    line([&page.path, &first, &median, &p99, &bytes, &target])
}

fn line([page, first, median, p99, bytes, target]: [&str; 6]) -> String {
    format!("{page:<38}{first:>9}{median:>9}{p99:>9}{bytes:>10}   {target}\n")
}

#[cfg(test)]
mod tests {
    use super::super::figures::First;
    use super::*;

    #[test]
    fn the_table_is_aligned_and_says_everything() {
        let page = |path, ms| Page::of(path, First { ms, bytes: 34_567 }, &mut vec![2_500; 200]);
        let figures = Pages::of(30.0, vec![page("/", 20.0), page("/devices", 120.0)]);
        let text = render(&Measured { store: "sqlite", note: Some("on a slow disk"), figures });
        let expected = "\
Pages of the demonstration on sqlite, in ms

page                                      first   median      p99     bytes   target
/                                         20.00     2.50     2.50    34,567   100 ms, 150,000 bytes, reached
/devices                                 120.00     2.50     2.50    34,567   100 ms, 150,000 bytes, missed

from the link to the first page                       50.000   at most 100, reached
          first: after a start, with styles and scripts; so are the bytes
          note: on a slow disk
";
        assert_eq!(text, expected);
    }
}
