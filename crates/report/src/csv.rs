//! Reports for machines.
//!
//! One table of three columns: the name of a value, the day it belongs to where it belongs to one, and
//! the value. Every value is a cell of its own.

use weir_app::reports::ReportFacts;
use weir_domain::{Name, Volume};

use crate::format::{RenderError, cubic_metres};

/// Writes a report as CSV.
pub(crate) fn render(facts: &ReportFacts) -> Result<Vec<u8>, RenderError> {
    let failed = |error: csv::Error| RenderError::Csv(error.to_string());
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["field", "date", "value"]).map_err(failed)?;
    let volume = |volume: Option<Volume>| volume.map(cubic_metres).unwrap_or_default();
    for (field, value) in [
        ("reseller", facts.reseller_name.to_string()),
        ("device_id", facts.device.to_string()),
        ("dev_eui", facts.dev_eui.to_string()),
        ("device_name", facts.device_name.to_string()),
        ("customer", facts.customer_name.as_ref().map(Name::to_string).unwrap_or_default()),
        ("owner_id", facts.owner.to_string()),
        ("owner", facts.owner_name.to_string()),
        ("owner_email", facts.owner_email.clone().unwrap_or_default()),
        ("period_start", facts.period_start.to_string()),
        ("period_end", facts.period_end.to_string()),
        ("timezone", facts.timezone.clone()),
        ("opening_m3", volume(facts.opening)),
        ("closing_m3", volume(facts.closing)),
        ("total_m3", cubic_metres(facts.total)),
        ("meter_replaced", facts.is_reset.to_string()),
    ] {
        table.write_record([field, "", &harmless(value)]).map_err(failed)?;
    }
    for day in &facts.days {
        let (date, value) = (day.date.to_string(), volume(day.consumption));
        table.write_record(["consumption_m3", &date, &value]).map_err(failed)?;
    }
    table.into_inner().map_err(|error| RenderError::Csv(error.to_string()))
}

/// A cell that no spreadsheet takes for a formula: people choose their names, and other people open
/// the file.
pub fn harmless(cell: String) -> String {
    let starts_formula = |c: char| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    let begins_with_control = cell.starts_with(['\t', '\r', '\n']);
    if begins_with_control || cell.trim_start().starts_with(starts_formula) {
        format!("'{cell}")
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::facts;

    fn rows(facts: &ReportFacts) -> Vec<[String; 3]> {
        let written = render(facts).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*written);
        let row = |row: csv::StringRecord| [0, 1, 2].map(|at| row[at].to_owned());
        reader.records().map(|read| row(read.unwrap())).collect()
    }

    fn value<'a>(rows: &'a [[String; 3]], field: &str) -> &'a str {
        &rows.iter().find(|row| row[0] == field).unwrap()[2]
    }

    #[test]
    fn every_value_is_a_cell_of_its_own() {
        let rows = rows(&facts(9));
        assert_eq!(rows[0], ["field", "date", "value"]);
        assert_eq!(value(&rows, "dev_eui"), "70B3D57ED02A3654");
        assert_eq!(value(&rows, "owner"), "Zoë Núñez");
        assert_eq!(value(&rows, "device_name"), "Flat 3B, cold water");
        assert_eq!(value(&rows, "opening_m3"), "812.457");
        let daily: Vec<_> = rows.iter().filter(|row| row[0] == "consumption_m3").collect();
        assert_eq!(daily.len(), 9);
        assert_eq!((daily[0][1].as_str(), daily[0][2].as_str()), ("2025-03-01", "0.120"));
        assert_eq!(daily[5][2], "", "nothing was read");
        let sum: f64 = daily.iter().filter_map(|row| row[2].parse::<f64>().ok()).sum();
        assert_eq!(format!("{sum:.3}"), value(&rows, "total_m3"));
    }

    #[test]
    fn no_cell_starts_a_formula() {
        for name in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", " =1", "\r=1"] {
            let mut facts = facts(1);
            facts.owner_name = Name::stored(name.into());
            facts.owner_email = Some(name.into());
            let rows = rows(&facts);
            assert_eq!(value(&rows, "owner"), format!("'{name}"));
            assert_eq!(value(&rows, "owner_email"), format!("'{name}"));
        }
        let mut facts = facts(1);
        facts.owner_name = Name::stored("O'Neil; \"Ann\", née = Byrne".into());
        assert_eq!(value(&rows(&facts), "owner"), "O'Neil; \"Ann\", née = Byrne");
    }

    #[test]
    fn a_meter_that_was_never_read_has_empty_cells() {
        let mut facts = facts(2);
        (facts.opening, facts.closing) = (None, None);
        let rows = rows(&facts);
        assert_eq!((value(&rows, "opening_m3"), value(&rows, "closing_m3")), ("", ""));
    }
}
