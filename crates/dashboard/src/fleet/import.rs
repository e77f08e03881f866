//! `/devices/import`: registering the meters of a table.
//!
//! A table is pasted or sent as a file. A preview names each row that cannot be imported; it sends the
//! table again when that is confirmed, and what became of each row is shown.

mod carry_out;
mod table;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;

use carry_out::{Outcome, register, sift};
use table::{BadRow, COLUMNS, MOST_ROWS, Row, Table};

use crate::Dashboard;
use crate::forms::Form;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::import as text;
use crate::visitor::Editor;

/// How many rows that can be imported are shown; the others are counted. Bad ones are all shown.
const SHOWN: usize = 100;

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
    rows: Vec<Row>,
    more: Option<String>,
    bad: Vec<BadRow>,
    table: String,
    adopts: bool,
}

/// The page that tells what became of the rows.
#[derive(Template)]
#[template(path = "fleet/imported.html")]
pub struct ImportedPage {
    frame: Frame,
    tally: String,
    is_success: bool,
    bad: Vec<BadRow>,
}

/// Shows the form.
pub async fn form(editor: Editor) -> Shown<ImportPage> {
    Shown(page(&editor, "", true, String::new()))
}

fn page(editor: &Editor, table: &str, adopts: bool, complaint: String) -> ImportPage {
    ImportPage {
        frame: editor.frame(),
        columns: COLUMNS.join(", "),
        limit: text::limit(MOST_ROWS),
        table: table.to_owned(),
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
    let text = fields.filled("file").unwrap_or_else(|| fields.text("table"));
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
    let rows = sifted.rows;
    let registered = dashboard
        .db
        .write(&editor.caller.scope, move |tx| register(tx, &scope, &env, &rows, adopts));
    Ok(Shown(imported(&editor, &registered.await?, sifted.bad)).into_response())
}

fn preview(editor: &Editor, sifted: Table, table: &str, adopts: bool) -> PreviewPage {
    let Table { mut rows, bad } = sifted;
    let tally = text::preview(rows.len(), bad.len());
    let hidden = rows.len().saturating_sub(SHOWN);
    rows.truncate(SHOWN);
    PreviewPage {
        frame: editor.frame(),
        tally,
        rows,
        more: (hidden > 0).then(|| text::more(hidden)),
        bad,
        table: table.to_owned(),
        adopts,
    }
}

fn imported(editor: &Editor, outcomes: &[Outcome], passed_over: Vec<BadRow>) -> ImportedPage {
    let mut bad = passed_over;
    bad.extend(outcomes.iter().filter_map(|outcome| {
        let refusal = outcome.registered.as_ref().err()?;
        Some(BadRow {
            line: outcome.row.line,
            dev_eui: outcome.row.dev_eui.to_string(),
            reasons: vec![refusal.to_string()],
        })
    }));
    bad.sort_by_key(|bad| bad.line);
    let succeeded = outcomes.iter().filter(|outcome| outcome.registered.is_ok()).count();
    ImportedPage {
        frame: editor.frame(),
        tally: text::imported(succeeded, bad.len()),
        is_success: bad.is_empty(),
        bad,
    }
}
