//! Reading a table of meters.

use std::collections::HashMap;

use weir_domain::{Eui, Name};

use crate::fleet::belonging::{CUSTOMER, END_USER};
use crate::format::{self, number};

/// How many meters one table may hold.
pub const MOST_ROWS: usize = 500;
/// How many bytes it may have: the preview carries it along, and no page is large.
pub const MOST_BYTES: usize = 60_000;
/// How many characters of a cell are repeated.
pub const REPEATED: usize = 40;

/// The columns that are read; others are passed over.
pub const COLUMNS: [&str; 6] =
    ["dev_eui", "name", "parent_dev_eui", "is_principal", CUSTOMER, END_USER];

/// A row that can be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its line in the file, from 1.
    pub line: u64,
    /// The EUI.
    pub dev_eui: Eui,
    /// The display name.
    pub name: Name,
    /// The EUI of the meter above it.
    pub parent: Option<Eui>,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// The name or id of its customer; empty where it has none.
    pub customer: String,
    /// The name or id of its end user; empty where it has none.
    pub end_user: String,
}

/// A row that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// Its line in the file, from 1.
    pub line: u64,
    /// What stands where its EUI should, cut where it is long.
    pub dev_eui: String,
    /// Everything that is wrong with it, in words.
    pub reasons: Vec<String>,
}

impl BadRow {
    /// The row of a line, with what is wrong with it.
    pub fn new(line: u64, dev_eui: &str, reasons: Vec<String>) -> Self {
        Self { line, dev_eui: format::cut(dev_eui, REPEATED), reasons }
    }
}

/// What a table holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Rows that can be tried, in the order of the file.
    pub rows: Vec<Row>,
    /// Rows that cannot.
    pub bad: Vec<BadRow>,
}

/// A file that is no table of meters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoTable {
    /// There is nothing in it.
    #[error("There is nothing in it: paste a table whose first line names the columns.")]
    Empty,
    /// A column is missing.
    #[error("The first line has to name the column {0}.")]
    Column(&'static str),
    /// It is not CSV.
    #[error("It cannot be read as CSV.")]
    Unreadable,
    /// It is too large.
    #[error("It has more than {} bytes: import it in parts.", number(MOST_BYTES as u64))]
    TooLarge,
    /// It is too long.
    #[error("It has more than {MOST_ROWS} rows: import it in parts.")]
    TooLong,
}

impl Table {
    /// Reads a table whose first line names its columns, separated by commas, semicolons or tabs.
    pub fn read(text: &str) -> Result<Self, NoTable> {
        if text.len() > MOST_BYTES {
            return Err(NoTable::TooLarge);
        }
        // The reader counts lines by one of the two, as forms and Windows end them.
        let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        let head = text.lines().next().unwrap_or_default();
        let separator = [b';', b'\t'].into_iter().find(|&byte| head.contains(char::from(byte)));
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator.unwrap_or(b','))
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let columns = reader.headers().map_err(|_| NoTable::Empty)?.clone();
        if columns.iter().all(str::is_empty) {
            return Err(NoTable::Empty);
        }
        let place = |name: &str| columns.iter().position(|given| given.eq_ignore_ascii_case(name));
        let [dev_eui, name, parent, is_principal, customer, end_user] = COLUMNS.map(place);
        let dev_eui = dev_eui.ok_or(NoTable::Column(COLUMNS[0]))?;
        let name = name.ok_or(NoTable::Column(COLUMNS[1]))?;
        let mut table = Self::default();
        let mut seen: HashMap<Eui, u64> = HashMap::new();
        for (number, record) in reader.records().enumerate() {
            if number == MOST_ROWS {
                return Err(NoTable::TooLong);
            }
            let record = record.map_err(|_| NoTable::Unreadable)?;
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |place: usize| record.get(place).unwrap_or_default();
            let optional = |place: Option<usize>| place.map(cell).unwrap_or_default();
            let cells = Cells {
                dev_eui: cell(dev_eui),
                name: cell(name),
                parent: optional(parent),
                is_principal: optional(is_principal),
                customer: optional(customer),
                end_user: optional(end_user),
            };
            match cells.read(line, &mut seen) {
                Ok(row) => table.rows.push(row),
                Err(reasons) => table.bad.push(BadRow::new(line, cells.dev_eui, reasons)),
            }
        }
        Ok(table)
    }
}

struct Cells<'a> {
    dev_eui: &'a str,
    name: &'a str,
    parent: &'a str,
    is_principal: &'a str,
    customer: &'a str,
    end_user: &'a str,
}

impl Cells<'_> {
    fn read(&self, line: u64, seen: &mut HashMap<Eui, u64>) -> Result<Row, Vec<String>> {
        let mut reasons = Vec::new();
        let dev_eui = Eui::parse(self.dev_eui);
        match &dev_eui {
            Err(error) => reasons.push(format!("dev_eui {error}")),
            Ok(eui) => match seen.get(eui) {
                Some(first) => reasons.push(format!("dev_eui stands in line {first} already")),
                None => {
                    seen.insert(*eui, line);
                }
            },
        }
        // What a file in another encoding leaves where its letters were.
        if self.name.contains(char::REPLACEMENT_CHARACTER) {
            reasons.push("name has letters that cannot be read: save the file as UTF-8".into());
        }
        let name = Name::parse(self.name);
        if let Err(error) = &name {
            reasons.push(format!("name {error}"));
        }
        let parent = match self.parent {
            "" => Ok(None),
            text => Eui::parse(text).map(Some),
        };
        if let Err(error) = &parent {
            reasons.push(format!("parent_dev_eui {error}"));
        }
        let is_principal = match self.is_principal.to_ascii_lowercase().as_str() {
            "" | "false" | "no" | "0" => Some(false),
            "true" | "yes" | "1" => Some(true),
            _ => None,
        };
        if is_principal.is_none() {
            reasons.push("is_principal must be true or false".into());
        }
        match (dev_eui, name, parent, is_principal) {
            (Ok(dev_eui), Ok(name), Ok(parent), Some(is_principal)) if reasons.is_empty() => {
                let (customer, end_user) = (self.customer.to_owned(), self.end_user.to_owned());
                Ok(Row { line, dev_eui, name, parent, is_principal, customer, end_user })
            }
            _ => Err(reasons),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_each_bad_one_is_named() {
        let table = Table::read(
            "\u{feff}Name;DEV_EUI;is_principal;parent_dev_eui;colour;End_user;customer\r\n\
             Main;70B3D57ED02A3654;yes;;blue; Bob;Lake side \r\n\
             \"Flat; left\";70b3d57ed02a3655;;70b3d57ed02a3654\r\n\
             Twice;70b3d57ed02a3654\r\n\
             ;short;perhaps;x\r\n",
        )
        .unwrap();
        assert_eq!(table.rows.len(), 2);
        assert!(table.rows[0].is_principal && table.rows[0].parent.is_none());
        assert_eq!((&*table.rows[0].customer, &*table.rows[0].end_user), ("Lake side", "Bob"));
        assert_eq!((&*table.rows[1].customer, &*table.rows[1].end_user), ("", ""));
        assert_eq!(table.rows[1].name.as_str(), "Flat; left");
        assert_eq!(table.rows[1].parent, Some(table.rows[0].dev_eui));
        let bad: Vec<_> = table.bad.iter().map(|bad| (bad.line, bad.reasons.join(", "))).collect();
        assert_eq!(bad[0], (4, "dev_eui stands in line 2 already".into()));
        assert_eq!(bad[1].0, 5);
        for field in ["dev_eui must", "name must", "parent_dev_eui must", "is_principal must"] {
            assert!(bad[1].1.contains(field), "{}", bad[1].1);
        }
    }

    #[test]
    fn what_is_no_table_is_told() {
        assert_eq!(Table::read(" \n"), Err(NoTable::Empty));
        assert_eq!(Table::read("name,colour\n"), Err(NoTable::Column("dev_eui")));
        assert_eq!(Table::read("dev_eui\n1"), Err(NoTable::Column("name")));
        let table = Table::read("dev_eui,name\n70b3d57ed02a3654,M\u{fffd}ller").unwrap();
        assert!(table.rows.is_empty() && table.bad[0].reasons[0].contains("UTF-8"));
        let bad = &Table::read(&format!("dev_eui,name\n{},y", "x".repeat(9_000))).unwrap().bad[0];
        assert_eq!(bad.dev_eui.chars().count(), REPEATED);
        let head = "dev_eui,name\n";
        let full = format!("{head}{}", "x".repeat(MOST_BYTES - head.len()));
        assert_eq!(Table::read(&full).unwrap().bad.len(), 1);
        assert_eq!(Table::read(&format!("{full}x")), Err(NoTable::TooLarge));
        assert!(NoTable::TooLarge.to_string().contains("60,000 bytes"));
        let rows = "x,y\n".repeat(MOST_ROWS);
        assert_eq!(Table::read(&format!("dev_eui,name\n{rows}")).unwrap().bad.len(), MOST_ROWS);
        assert_eq!(Table::read(&format!("dev_eui,name\n{rows}x,y")), Err(NoTable::TooLong));
    }
}
