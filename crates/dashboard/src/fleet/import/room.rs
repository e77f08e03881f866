//! How many bad rows a page has room for.

use super::table::BadRow;

/// How many bytes bad rows may take on a page.
const ROOM: usize = 36_000;
/// How many of them a row takes beside what is in it.
const AROUND: usize = 90;

/// The first bad rows, as many as there is room for, and how many are left over.
pub fn fitting(mut rows: Vec<BadRow>) -> (Vec<BadRow>, usize) {
    let taken = rows.iter().scan(0, |taken, row| {
        *taken += size(row);
        Some(*taken)
    });
    let shown = taken.take_while(|taken| *taken <= ROOM).count();
    let hidden = rows.len() - shown;
    rows.truncate(shown);
    (rows, hidden)
}

/// How many bytes a row takes at most.
fn size(row: &BadRow) -> usize {
    let texts = row.reasons.iter().chain([&row.dev_eui]);
    AROUND + texts.map(|text| written(text) + 2).sum::<usize>()
}

/// How many bytes a text takes where what could be taken for markup is written as numbers.
fn written(text: &str) -> usize {
    let marks = text.bytes().filter(|byte| b"<>&\"'".contains(byte)).count();
    text.len() + 4 * marks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: u64, reason: &str) -> BadRow {
        BadRow { line, dev_eui: "x".into(), reasons: vec![reason.to_owned()] }
    }

    #[test]
    fn the_first_are_shown_and_the_others_counted() {
        let few = vec![row(2, "a"), row(3, "b")];
        assert_eq!(fitting(few.clone()), (few, 0));
        let many: Vec<_> = (2..502).map(|line| row(line, &"&".repeat(60))).collect();
        let (shown, hidden) = fitting(many.clone());
        assert_eq!(shown, many[..shown.len()]);
        assert_eq!((shown.len(), hidden), (ROOM / (AROUND + 302 + 3), 500 - shown.len()));
        assert_eq!(fitting(Vec::new()), (Vec::new(), 0));
    }
}
