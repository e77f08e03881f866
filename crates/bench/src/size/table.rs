//! The room that readings take as a table for people.

use super::figures::Size;
use crate::run::Measured;
use crate::table::{goal, grouped, sentence};

/// The table of all stores.
pub fn render(stores: &[Measured<Size>]) -> String {
    let mut text = "Bytes a reading on the disk\n\n".to_owned();
    for Measured { store, figures, .. } in stores {
        text.push_str(&goal(store, figures.bytes_per_reading));
    }
    text.push('\n');
    for Measured { store, figures, .. } in stores {
        sentence(&mut text, store, &remark(figures));
        if !figures.is_found {
            sentence(&mut text, "", "LOST SOME: a device does not have all of its readings");
        }
    }
    text
}

fn remark(size: &Size) -> String {
    let Size { all_told, growth, writing_seconds, .. } = size;
    let [devices, readings, before, after] =
        [size.devices, size.readings, size.bytes_before, size.bytes_after].map(grouped);
    format!(
        "{readings} readings of {devices} devices, written in {writing_seconds:.0} s; {after} bytes, \
         {before} of them before the first reading: {all_told:.1} all told, {growth:.1} of growth"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use crate::store::Kind;

    #[test]
    fn the_table_says_which_figure_is_held_against_what() {
        let measured = |kind: Kind, is_found| {
            let plan = plan::Size { devices: 100, hours: 10 };
            let figures = Size::of(kind, plan, [10_000, 35_000], 2.4, is_found);
            Measured { store: kind.name(), note: None, figures }
        };
        let text = render(&[measured(Kind::Sqlite, true), measured(Kind::Postgres, false)]);
        let expected = "\
Bytes a reading on the disk

sqlite                                                35.000   at most 24, missed
postgres                                              25.000   at most 90, reached

sqlite    1,000 readings of 100 devices, written in 2 s; 35,000 bytes, 10,000 of them before the \
first reading: 35.0 all told, 25.0 of growth
postgres  1,000 readings of 100 devices, written in 2 s; 35,000 bytes, 10,000 of them before the \
first reading: 35.0 all told, 25.0 of growth
          LOST SOME: a device does not have all of its readings
";
        assert_eq!(text, expected);
    }
}
