//! Registering the meters of a table.

use std::collections::{HashMap, HashSet};

use weir_app::devices::{Recipients, Registration};
use weir_app::{AppError, AppResult, Env};
use weir_domain::{DeviceId, Eui, Refusal};
use weir_store::{ReadTx, Scope, WriteTx};

use super::table::{BadRow, REPEATED, Row, Table};
use crate::fleet::belonging::Named;
use crate::fleet::register::add;
use crate::format;

/// What became of a row.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The row.
    pub row: Row,
    /// The device that it became, or why it did not.
    pub registered: Result<DeviceId, Refusal>,
}

/// The rows of a table as things stand.
#[derive(Debug, Clone, Default)]
pub struct Sifted {
    /// Those that can be tried, with those whose they are to be.
    pub rows: Vec<(Row, Recipients)>,
    /// Those that would be refused.
    pub bad: Vec<BadRow>,
}

/// Sets aside the rows that would be refused as things stand: those whose EUI is one of a live device
/// of one's own, those whose parent is neither such a device nor in a row before them, and those for
/// whom is not known.
pub fn sift(tx: &mut dyn ReadTx, table: Table) -> AppResult<Sifted> {
    let named = Named::look_up(tx, table.rows.iter().map(|row| (&*row.customer, &*row.end_user)))?;
    let euis: HashSet<Eui> =
        table.rows.iter().flat_map(|row| [Some(row.dev_eui), row.parent]).flatten().collect();
    let live = tx.devices_live_by_euis(&euis.into_iter().collect::<Vec<_>>())?;
    let live: HashMap<Eui, String> =
        live.into_iter().map(|device| (device.dev_eui, device.name.to_string())).collect();
    let mut sifted = Sifted { rows: Vec::new(), bad: table.bad };
    let mut before: HashSet<Eui> = HashSet::new();
    for row in table.rows {
        let mut reasons = Vec::new();
        if let Some(name) = live.get(&row.dev_eui) {
            reasons.push(format!("is registered already, as {}", format::cut(name, REPEATED)));
        }
        if let Some(parent) = row.parent
            && !live.contains_key(&parent)
            && !before.contains(&parent)
        {
            reasons.push(format!("has the parent {parent}, which is not registered"));
        }
        let to = named.recipients(&row.customer, &row.end_user).unwrap_or_else(|wrong| {
            reasons.extend(wrong.iter().map(|(field, reason)| format!("{field} {reason}")));
            Recipients::default()
        });
        if reasons.is_empty() {
            before.insert(row.dev_eui);
            sifted.rows.push((row, to));
        } else {
            sifted.bad.push(BadRow::new(row.line, &row.dev_eui.to_string(), reasons));
        }
    }
    sifted.bad.sort_by_key(|bad| bad.line);
    Ok(sifted)
}

/// Registers every row that can be, each as registering it alone would, and says what became of each.
pub fn register(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    rows: &[(Row, Recipients)],
    adopt_readings: bool,
) -> AppResult<Vec<Outcome>> {
    let mut outcomes = Vec::with_capacity(rows.len());
    for (row, to) in rows {
        let registration = Registration {
            dev_eui: row.dev_eui,
            name: row.name.clone(),
            parent: None,
            is_principal: row.is_principal,
            adopt_readings,
        };
        let registered = match add(tx, scope, env, registration, row.parent, *to) {
            Ok(device) => Ok(device.id),
            // Registering refuses before it changes anything.
            Err(AppError::Refused(refusal)) => Err(refusal),
            Err(error) => return Err(error),
        };
        outcomes.push(Outcome { row: row.clone(), registered });
    }
    Ok(outcomes)
}
