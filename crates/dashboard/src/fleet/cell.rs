//! Cells of tables that other people open.

/// A cell that no spreadsheet takes for a formula: people choose their names, and other people open
/// the file. Reports do the same.
pub fn harmless(cell: &str) -> String {
    let starts_formula = |c: char| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    let begins_with_control = cell.starts_with(['\t', '\r', '\n']);
    if begins_with_control || cell.trim_start().starts_with(starts_formula) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_texts() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t1", "＝1"] {
            assert_eq!(harmless(cell), format!("'{cell}"));
        }
        for cell in ["", "Main", "7-1", "a=b"] {
            assert_eq!(harmless(cell), cell);
        }
    }
}
