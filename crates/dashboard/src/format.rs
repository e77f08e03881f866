//! Dates, numbers and volumes as people read them.

use jiff::civil::Date;
use weir_domain::{Calendar, Timestamp, Volume};

/// A moment by the reseller's clocks: `29 Mar 2026, 14:00`.
pub fn moment(calendar: &Calendar, at: Timestamp) -> String {
    calendar.clocks_at(at).strftime("%-d %b %Y, %H:%M").to_string()
}

/// A day: `29 Mar 2026`.
pub fn day(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

/// A day without its year, for narrow places: `29 Mar`.
pub fn short_day(date: Date) -> String {
    date.strftime("%-d %b").to_string()
}

/// A count: `12,345`.
pub fn number(count: impl Into<i128>) -> String {
    let count: i128 = count.into();
    let digits = count.unsigned_abs().to_string();
    let mut text = String::from(if count < 0 { "−" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A volume in cubic metres with its litres: `1,234.567 m³`.
pub fn volume(volume: Volume) -> String {
    let litres = volume.litres().round() as i64;
    let (whole, rest) = (litres.unsigned_abs() / 1_000, litres.unsigned_abs() % 1_000);
    let sign = if litres < 0 { "−" } else { "" };
    format!("{sign}{}.{rest:03} m³", number(whole))
}

/// How many characters of a name, or of what else somebody wrote, a row of a list shows.
const CELL: usize = 50;

/// What somebody wrote, as a row of a list shows it.
pub fn cell(text: &str) -> String {
    cut(text, CELL)
}

/// A text of at most so many characters: what is longer ends in an ellipsis.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_those_of_the_reseller() {
        let noon = Timestamp::from_micros(1_774_785_600_000_000);
        assert_eq!(moment(&Calendar::UTC, noon), "29 Mar 2026, 12:00");
        let amsterdam = Calendar::named("Europe/Amsterdam").unwrap();
        assert_eq!(moment(&amsterdam, noon), "29 Mar 2026, 14:00");
        assert_eq!(day(amsterdam.day_of(noon)), "29 Mar 2026");
        assert_eq!(short_day(amsterdam.day_of(noon)), "29 Mar");
    }

    #[test]
    fn long_texts_are_cut() {
        for (text, shown) in
            [("", ""), ("Zähl", "Zähl"), ("Zähle", "Zäh…"), ("🚰🚰🚰🚰🚰", "🚰🚰🚰…")]
        {
            assert_eq!(cut(text, 4), shown);
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        for (count, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (-1_234, "−1,234")]
        {
            assert_eq!(number(count), text);
        }
        let shown = |litres| volume(Volume::from_litres(litres).unwrap());
        assert_eq!(shown(1_234_567.0), "1,234.567 m³");
        assert_eq!(shown(5.0), "0.005 m³");
    }
}
