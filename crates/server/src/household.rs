//! How a household uses water, hour by hour: the same household always in the same way.

/// How the water of a day spreads over its hours, in thousandths.
const DAY: [i64; 24] =
    [8, 5, 4, 4, 6, 18, 62, 98, 84, 52, 38, 36, 44, 46, 34, 30, 34, 48, 72, 84, 76, 56, 38, 23];

/// What a household used in an hour, in millilitres. Hours are counted from a Monday's midnight.
pub fn used(household: u64, hour: u64) -> i64 {
    let day = hour / 24;
    // Between 150 and 400 litres a day, more at weekends, none in a fortnight of holidays a year.
    let daily = 150_000 + (chance(household, 1) % 250_000) as i64;
    let weekend = if day % 7 >= 5 { 125 } else { 100 };
    let away = (day + chance(household, 2) % 365) % 365 < 14;
    let mood = 60 + (chance(household, hour) % 81) as i64;
    let share = DAY[hour as usize % 24];
    let used = if away { 0 } else { daily * share / 1_000 * weekend / 100 * mood / 100 };
    // Meters count whole litres.
    used / 1_000 * 1_000
}

/// A number that looks random and is always the same.
pub fn chance(seed: u64, salt: u64) -> u64 {
    let mut mixed =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt.wrapping_mul(0xd1b5_4a32_d192_ed03);
    mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a household used in the hours of a year that begin at one of these hours of the day.
    fn in_a_year(household: u64, hours: std::ops::Range<u64>) -> i64 {
        let year = 0..365 * 24;
        year.filter(|hour| hours.contains(&(hour % 24))).map(|hour| used(household, hour)).sum()
    }

    #[test]
    fn people_sleep_at_night_and_wash_in_the_morning() {
        for household in 0..50 {
            assert!(in_a_year(household, 6..9) > 5 * in_a_year(household, 1..4), "{household}");
            let litres_a_day = in_a_year(household, 0..24) / 365 / 1_000;
            assert!((120..450).contains(&litres_a_day), "{household}: {litres_a_day}");
        }
    }

    #[test]
    fn the_same_hour_always_costs_the_same_and_households_differ() {
        assert_eq!(in_a_year(7, 0..24), in_a_year(7, 0..24));
        assert_ne!(in_a_year(7, 0..24), in_a_year(8, 0..24));
    }
}
