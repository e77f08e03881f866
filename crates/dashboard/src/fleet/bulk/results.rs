//! What became of each device.

use askama::Template;

use super::action::Action;
use super::change::Outcome;
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
}

/// Shows what became of each device, failures first.
pub fn page(editor: &Editor, action: Action, outcomes: &[Outcome]) -> ResultsPage {
    let failed = outcomes.iter().filter(|outcome| outcome.refusal.is_some()).count();
    let mut lines: Vec<Line> = outcomes
        .iter()
        .map(|outcome| Line {
            id: outcome.id.to_string(),
            name: outcome.device.as_ref().map(|device| device.name.to_string()),
            failure: outcome.refusal.as_ref().map(ToString::to_string),
        })
        .collect();
    lines.sort_by_key(|line| line.failure.is_none());
    ResultsPage {
        frame: editor.frame(),
        tally: text::done(action.done(), outcomes.len() - failed, failed),
        is_success: failed == 0,
        lines,
    }
}
