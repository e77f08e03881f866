//! The page that asks once more.

use askama::Template;
use weir_domain::Device;

use super::target::{Target, targets};
use super::{Action, Asked, SHOWN};
use crate::Dashboard;
use crate::format;
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
    ids: String,
    targets: Option<Vec<Target>>,
    find: &'static str,
    to_what: &'static str,
    others: Option<String>,
    search: String,
    complaint: &'static str,
    back: Option<String>,
    cancel: String,
}

/// Asks whether it is meant, and for whom.
pub async fn page(
    editor: &Editor,
    dashboard: &Dashboard,
    asked: Asked,
    complaint: &'static str,
) -> Result<ConfirmPage, Problem> {
    let (ids, action, search) = (asked.ids.clone(), asked.action, asked.search.clone());
    let env = dashboard.env.clone();
    let read = dashboard.db.read(&editor.caller.scope, move |tx| {
        let named = &ids[..ids.len().min(NAMED)];
        let devices = tx.devices_by_ids(named)?;
        Ok::<_, weir_app::AppError>((devices, targets(tx, &env, action, &search)?))
    });
    let (devices, targets) = read.await?;
    let name = |id| {
        let found = devices.iter().find(|device: &&Device| device.id == id);
        found.map_or_else(
            || text::UNKNOWN.to_owned(),
            |device| format::cut(device.name.as_str(), SHOWN),
        )
    };
    let hidden = asked.ids.len().saturating_sub(NAMED);
    let others = targets.as_ref().map_or(0, |targets| targets.others);
    Ok(ConfirmPage {
        frame: editor.frame(),
        action: asked.action.word(),
        question: asked.action.question(),
        consequence: asked.action.consequence(),
        is_danger: asked.action == Action::Delete,
        count: text::selected(asked.ids.len()),
        names: asked.ids.iter().take(NAMED).map(|&id| name(id)).collect(),
        more: (hidden > 0).then(|| text::more(hidden)),
        ids: asked.ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        find: if action == Action::Hang { text::SEARCH_METER } else { text::SEARCH },
        to_what: if action == Action::Hang { text::BELOW_WHAT } else { text::FOR_WHOM },
        targets: targets.map(|targets| targets.offered),
        others: (others > 0).then(|| text::others(others)),
        complaint,
        cancel: asked.way_on(),
        search: asked.search,
        back: asked.back,
    })
}
