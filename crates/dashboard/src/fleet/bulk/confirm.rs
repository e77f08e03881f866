//! The page that asks once more.

use askama::Template;
use weir_domain::Device;

use super::Asked;
use super::target::{Target, targets};
use crate::Dashboard;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::text::bulk as text;
use crate::visitor::Editor;

/// How many devices are named; the others are counted.
const NAMED: usize = 20;

/// The page.
#[derive(Template)]
#[template(path = "fleet/confirm.html")]
pub struct ConfirmPage {
    frame: Frame,
    action: &'static str,
    question: &'static str,
    consequence: &'static str,
    is_danger: bool,
    count: String,
    names: Vec<String>,
    more: Option<String>,
    ids: Vec<String>,
    targets: Option<Vec<Target>>,
    others: Option<String>,
    search: String,
    complaint: &'static str,
    back: String,
}

/// Asks whether it is meant, and for whom.
pub async fn page(
    editor: &Editor,
    dashboard: &Dashboard,
    asked: Asked,
    complaint: &'static str,
) -> Result<ConfirmPage, Problem> {
    let (ids, action, search) = (asked.ids.clone(), asked.action, asked.search.clone());
    let read = dashboard.db.read(&editor.caller.scope, move |tx| {
        let named = &ids[..ids.len().min(NAMED)];
        let devices = tx.devices_by_ids(named)?;
        Ok::<_, weir_app::AppError>((devices, targets(tx, action, &search)?))
    });
    let (devices, targets) = read.await?;
    let name = |id| {
        let found = devices.iter().find(|device: &&Device| device.id == id);
        found.map_or_else(|| text::UNKNOWN.to_owned(), |device| device.name.to_string())
    };
    let hidden = asked.ids.len().saturating_sub(NAMED);
    let others = targets.as_ref().map_or(0, |targets| targets.others);
    Ok(ConfirmPage {
        frame: editor.frame(),
        action: asked.action.word(),
        question: asked.action.question(),
        consequence: asked.action.consequence(),
        is_danger: asked.action == super::Action::Delete,
        count: text::selected(asked.ids.len()),
        names: asked.ids.iter().take(NAMED).map(|&id| name(id)).collect(),
        more: (hidden > 0).then(|| text::more(hidden)),
        ids: asked.ids.iter().map(ToString::to_string).collect(),
        targets: targets.map(|targets| targets.offered),
        others: (others > 0).then(|| text::others(others)),
        search: asked.search,
        complaint,
        back: match &*asked.ids {
            [only] => format!("/devices/{only}"),
            _ => "/devices".to_owned(),
        },
    })
}
