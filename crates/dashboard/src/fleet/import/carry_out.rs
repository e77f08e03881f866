//! Registering the meters of a table.

use std::collections::{HashMap, HashSet};

use weir_app::devices::Registration;
use weir_app::{AppError, AppResult, Env};
use weir_domain::{DeviceId, Eui, Refusal};
use weir_store::{ReadTx, Scope, WriteTx};

use super::table::{BadRow, Row, Table};
use crate::fleet::register::add;

/// What became of a row.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The row.
    pub row: Row,
    /// The device that it became, or why it did not.
    pub registered: Result<DeviceId, Refusal>,
}

/// Sets aside the rows that would be refused as things stand: those whose EUI is one of a live device
/// of one's own, and those whose parent is neither such a device nor in a row before them.
pub fn sift(tx: &mut dyn ReadTx, table: Table) -> AppResult<Table> {
    let named: HashSet<Eui> =
        table.rows.iter().flat_map(|row| [Some(row.dev_eui), row.parent]).flatten().collect();
    let live = tx.devices_live_by_euis(&named.into_iter().collect::<Vec<_>>())?;
    let live: HashMap<Eui, String> =
        live.into_iter().map(|device| (device.dev_eui, device.name.to_string())).collect();
    let mut sifted = Table { rows: Vec::new(), bad: table.bad };
    let mut before: HashSet<Eui> = HashSet::new();
    for row in table.rows {
        let mut reasons = Vec::new();
        if let Some(name) = live.get(&row.dev_eui) {
            reasons.push(format!("is registered already, as {name}"));
        }
        if let Some(parent) = row.parent
            && !live.contains_key(&parent)
            && !before.contains(&parent)
        {
            reasons.push(format!("has the parent {parent}, which is not registered"));
        }
        if reasons.is_empty() {
            before.insert(row.dev_eui);
            sifted.rows.push(row);
        } else {
            sifted.bad.push(BadRow { line: row.line, dev_eui: row.dev_eui.to_string(), reasons });
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
    rows: &[Row],
    adopt_readings: bool,
) -> AppResult<Vec<Outcome>> {
    let mut outcomes = Vec::with_capacity(rows.len());
    for row in rows {
        let registration = Registration {
            dev_eui: row.dev_eui,
            name: row.name.clone(),
            parent: None,
            is_principal: row.is_principal,
            adopt_readings,
        };
        let registered = match add(tx, scope, env, registration, row.parent) {
            Ok(device) => Ok(device.id),
            // Registering refuses before it changes anything.
            Err(AppError::Refused(refusal)) => Err(refusal),
            Err(error) => return Err(error),
        };
        outcomes.push(Outcome { row: row.clone(), registered });
    }
    Ok(outcomes)
}
