//! What became of each device.

use askama::Template;

use super::change::Outcome;
use super::{Asked, SHOWN};
use crate::format;
use crate::frame::Frame;
use crate::text::bulk as text;
use crate::visitor::Editor;

/// A device and what became of it.
pub struct Line {
    id: String,
    name: Option<String>,
    failure: Option<String>,
}

/// The page.
#[derive(Template)]
#[template(path = "fleet/outcome.html")]
pub struct ResultsPage {
    frame: Frame,
    tally: String,
    is_success: bool,
    lines: Vec<Line>,
    more: Option<String>,
    back: String,
}

/// How many devices are named; the others are counted.
const NAMED: usize = 200;

/// Shows what became of the devices, failures first.
pub fn page(editor: &Editor, asked: &Asked, outcomes: &[Outcome]) -> ResultsPage {
    let failed = outcomes.iter().filter(|outcome| outcome.refusal.is_some()).count();
    let mut lines: Vec<Line> = outcomes
        .iter()
        .map(|outcome| Line {
            id: outcome.id.to_string(),
            name: outcome.device.as_ref().map(|device| format::cut(device.name.as_str(), SHOWN)),
            failure: outcome.refusal.as_ref().map(ToString::to_string),
        })
        .collect();
    lines.sort_by_key(|line| line.failure.is_none());
    let hidden = lines.len().saturating_sub(NAMED);
    lines.truncate(NAMED);
    ResultsPage {
        frame: editor.frame(),
        tally: text::done(asked.action.done(), outcomes.len() - failed, failed),
        is_success: failed == 0,
        lines,
        more: (hidden > 0).then(|| text::more(hidden)),
        back: asked.way_on(),
    }
}
