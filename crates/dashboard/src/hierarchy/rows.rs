//! Trees, row by row.

use weir_domain::{Status, Timestamp, Volume};

use super::balance::Balance;
use super::tree::Branch;
use crate::format;
use crate::text::{fleet, hierarchy as text};

/// A meter of a tree.
pub struct Row {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How deep it lies below the top of what is shown.
    pub depth: usize,
    /// Whether it is a principal meter.
    pub is_principal: bool,
    /// The word for its status.
    pub status: &'static str,
    /// Its status as it is read.
    pub status_text: &'static str,
    /// What it consumed.
    pub consumed: String,
    /// What it consumed against what its sub-meters did.
    pub balance: Option<Compared>,
    /// How many of its sub-meters are not shown.
    pub hidden: Option<String>,
}

/// A balance as it is shown.
pub struct Compared {
    /// The sum of the sub-meters.
    pub below: String,
    /// What is missing, with its share.
    pub lost: String,
    /// Which part came out below, in hundredths, for a bar.
    pub share: i64,
    /// Whether somebody should look.
    pub is_notable: bool,
    /// That the sum lacks some.
    pub unheard: Option<String>,
}

/// Writes trees as rows, each meter before those below it, until there is no room for more.
pub struct Writer {
    rows: Vec<Row>,
    room: usize,
    now: Timestamp,
}

impl Writer {
    /// A writer with room for so many meters, besides those at the top.
    pub fn new(room: usize, now: Timestamp) -> Self {
        Self { rows: Vec::new(), room, now }
    }

    /// Writes a tree.
    pub fn write(&mut self, branch: &Branch, depth: usize) {
        let is_shown = branch.below.len() <= self.room;
        self.rows.push(Row::of(branch, depth, self.now, !is_shown));
        if is_shown {
            self.room -= branch.below.len();
            for below in &branch.below {
                self.write(below, depth + 1);
            }
        }
    }

    /// Writes a tree of which only some of the meters right below its top are shown.
    pub fn write_part(&mut self, branch: &Branch, shown: &[Branch]) {
        self.rows.push(Row::of(branch, 0, self.now, false));
        for below in shown {
            self.write(below, 1);
        }
    }

    /// What was written.
    pub fn rows(self) -> Vec<Row> {
        self.rows
    }
}

impl Row {
    fn of(branch: &Branch, depth: usize, now: Timestamp, is_closed: bool) -> Self {
        let device = &branch.device;
        let status: Status = device.status_at(now);
        Self {
            id: device.id.to_string(),
            name: format::cell(device.name.as_str()),
            depth,
            is_principal: device.is_principal,
            status: status.as_str(),
            status_text: fleet::status(status),
            consumed: branch.consumed.map_or_else(|| text::UNHEARD.into(), format::volume),
            balance: branch.balance().map(Compared::of),
            hidden: is_closed.then(|| text::hidden(branch.size() - 1)),
        }
    }
}

impl Compared {
    fn of(balance: Balance) -> Self {
        let lost = balance.lost().map(|lost| format::volume(Volume::from_millilitres(lost)));
        let lost = match (lost, balance.percent()) {
            (None, _) => text::UNHEARD.to_owned(),
            (Some(lost), None) => lost,
            (Some(lost), Some(percent)) => text::lost(&lost, percent),
        };
        Self {
            below: format::volume(balance.below),
            lost,
            share: balance.percent().map_or(0, |percent| (100 - percent).clamp(0, 100)),
            is_notable: balance.is_notable(),
            unheard: (balance.unheard > 0).then(|| text::unheard(balance.unheard)),
        }
    }
}
