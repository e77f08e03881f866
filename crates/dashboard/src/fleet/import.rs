//! `/devices/import`: registering the meters of a table.
//!
//! A table is pasted or sent as a file. A preview names the rows that cannot be imported; it carries the
//! table along and sends it again when that is confirmed, and what became of the rows is shown. Tables
//! are limited so that no page is large, and rows that a page has no room for are counted.

mod carry_out;
mod room;
mod table;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;

use carry_out::{Outcome, Sifted, register, sift};
use room::fitting;
use table::{BadRow, COLUMNS, MOST_BYTES, MOST_ROWS, REPEATED, Row, Table};

use crate::Dashboard;
use crate::format;
use crate::forms::Form;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::import as text;
use crate::visitor::Editor;

/// How many rows that can be imported are shown; the others are counted.
const SHOWN: usize = 30;
/// Up to how many bytes a table that is none is shown again, to be mended.
const MENDED: usize = 20_000;
/// The field in which a preview carries its table.
const CARRIED: &str = "carried";

/// The page with the form.
#[derive(Template)]
#[template(path = "fleet/import.html")]
pub struct ImportPage {
    frame: Frame,
    columns: String,
    limit: String,
    table: String,
    adopts: bool,
    complaint: String,
}

/// The page that asks once more.
#[derive(Template)]
#[template(path = "fleet/preview.html")]
pub struct PreviewPage {
    frame: Frame,
    tally: String,
    rows: Vec<Line>,
    more: Option<String>,
    bad: Vec<BadRow>,
    more_bad: Option<String>,
    carried: String,
    adopts: bool,
}

/// A row that can be imported, as it is shown.
struct Line {
    line: u64,
    dev_eui: String,
    name: String,
    parent: String,
    is_principal: bool,
    customer: String,
    end_user: String,
}

impl Line {
    fn of(row: &Row) -> Self {
        let cut = |text: &str| format::cut(text, REPEATED);
        Self {
            line: row.line,
            dev_eui: row.dev_eui.to_string(),
            name: cut(row.name.as_str()),
            parent: row.parent.as_ref().map(ToString::to_string).unwrap_or_default(),
            is_principal: row.is_principal,
            customer: cut(&row.customer),
            end_user: cut(&row.end_user),
        }
    }
}

/// The page that tells what became of the rows.
#[derive(Template)]
#[template(path = "fleet/imported.html")]
pub struct ImportedPage {
    frame: Frame,
    tally: String,
    is_success: bool,
    bad: Vec<BadRow>,
    more_bad: Option<String>,
}

/// Shows the form.
pub async fn form(editor: Editor) -> Shown<ImportPage> {
    Shown(page(&editor, "", true, String::new()))
}

fn page(editor: &Editor, table: &str, adopts: bool, complaint: String) -> ImportPage {
    ImportPage {
        frame: editor.frame(),
        columns: COLUMNS.join(", "),
        limit: text::limit(MOST_ROWS, MOST_BYTES as u64),
        table: if table.len() > MENDED { String::new() } else { table.to_owned() },
        adopts,
        complaint,
    }
}

/// Shows what a table would do, or does it.
pub async fn import(
    editor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    // A file counts before what was pasted.
    let carried = URL_SAFE_NO_PAD.decode(fields.whole(CARRIED)).unwrap_or_default();
    let carried = String::from_utf8(carried).ok().filter(|text| !text.is_empty());
    let sent = Some(fields.whole("file").trim()).filter(|file| !file.is_empty());
    let sent = sent.unwrap_or_else(|| fields.whole("table"));
    let text = carried.as_deref().unwrap_or(sent);
    let adopts = fields.is_ticked("adopt_readings");
    let read = match Table::read(text) {
        Ok(read) => read,
        Err(error) => {
            let page = page(&editor, text, adopts, error.to_string());
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, Shown(page)).into_response());
        }
    };
    let unsifted = read.clone();
    let sifted = dashboard.db.read(&editor.caller.scope, move |tx| sift(tx, unsifted.clone()));
    let sifted = sifted.await?;
    if fields.text("step") != "do" {
        let page = preview(&editor, sifted, text, adopts);
        return Ok(Shown(page).into_response());
    }
    let (scope, env) = (editor.caller.scope.clone(), dashboard.env.clone());
    let Sifted { rows, bad } = sifted;
    let registered = dashboard
        .db
        .write(&editor.caller.scope, move |tx| register(tx, &scope, &env, &rows, adopts));
    Ok(Shown(imported(&editor, &registered.await?, bad)).into_response())
}

fn preview(editor: &Editor, sifted: Sifted, table: &str, adopts: bool) -> PreviewPage {
    let Sifted { rows, bad } = sifted;
    let tally = text::preview(rows.len(), bad.len());
    let (bad, hidden_bad) = fitting(bad);
    PreviewPage {
        frame: editor.frame(),
        tally,
        more: more(rows.len().saturating_sub(SHOWN)),
        rows: rows.iter().take(SHOWN).map(|(row, _)| Line::of(row)).collect(),
        bad,
        more_bad: more(hidden_bad),
        carried: URL_SAFE_NO_PAD.encode(table),
        adopts,
    }
}

fn more(hidden: usize) -> Option<String> {
    (hidden > 0).then(|| text::more(hidden))
}

fn imported(editor: &Editor, outcomes: &[Outcome], passed_over: Vec<BadRow>) -> ImportedPage {
    let mut bad = passed_over;
    bad.extend(outcomes.iter().filter_map(|outcome| {
        let refusal = outcome.registered.as_ref().err()?.to_string();
        Some(BadRow::new(outcome.row.line, &outcome.row.dev_eui.to_string(), vec![refusal]))
    }));
    bad.sort_by_key(|bad| bad.line);
    let succeeded = outcomes.iter().filter(|outcome| outcome.registered.is_ok()).count();
    let (tally, is_success) = (text::imported(succeeded, bad.len()), bad.is_empty());
    let (bad, hidden) = fitting(bad);
    ImportedPage { frame: editor.frame(), tally, is_success, bad, more_bad: more(hidden) }
}
