//! What a report can be read as.

use weir_app::reports::ReportFacts;
use weir_domain::{Calendar, Volume};

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people.
    Pdf,
    /// For machines.
    Csv,
}

/// A report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The PDF cannot be composed.
    #[error("the PDF cannot be composed: {0}")]
    Pdf(String),
    /// The CSV cannot be written.
    #[error("the CSV cannot be written: {0}")]
    Csv(String),
    /// The renderer came to an unexpected end.
    #[error("the renderer ended without a report")]
    Ended,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Pdf, Self::Csv];

    /// The end of its files' names.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Csv => "csv",
        }
    }

    /// Its media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }

    /// The name of a file that holds a report: what it is, of which meter, until when.
    pub fn file_name(self, facts: &ReportFacts) -> String {
        let calendar = Calendar::named(&facts.timezone).unwrap_or(Calendar::UTC);
        let until = calendar.day_of(facts.period_end);
        format!("water-report-{}-{until}.{}", facts.dev_eui, self.extension())
    }

    /// Writes a report in it. This takes a while; do it on a thread that may.
    pub fn render(self, facts: &ReportFacts) -> Result<Vec<u8>, RenderError> {
        match self {
            Self::Pdf => crate::pdf::render(facts),
            Self::Csv => crate::csv::render(facts),
        }
    }
}

/// A volume in cubic metres, as a plain decimal: to the litre, and finer only where it is.
pub(crate) fn cubic_metres(volume: Volume) -> String {
    let millilitres = volume.millilitres();
    let (whole, rest) = (millilitres / 1_000_000, millilitres % 1_000_000);
    match rest % 1_000 {
        0 => format!("{whole}.{:03}", rest / 1_000),
        _ => format!("{whole}.{rest:06}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::facts;

    #[test]
    fn files_are_told_apart_by_meter_and_day() {
        let name = Format::Csv.file_name(&facts(1));
        assert_eq!(name, "water-report-70B3D57ED02A3654-2025-03-31.csv");
    }

    #[test]
    fn volumes_are_plain_decimals() {
        for (millilitres, text) in [
            (0, "0.000"),
            (1_000, "0.001"),
            (123_457_000, "123.457"),
            (123_456_789, "123.456789"),
            (1_000_000_000_000_000, "1000000000.000"),
        ] {
            assert_eq!(cubic_metres(Volume::from_millilitres(millilitres)), text);
        }
    }
}
