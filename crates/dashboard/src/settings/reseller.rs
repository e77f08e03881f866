//! `POST /settings/names/…` and `/settings/time-zone`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use weir_app::AppResult;
use weir_app::resellers::{self, OwnChange};
use weir_domain::{Calendar, Name, Reseller};
use weir_store::Purpose;

use super::PATH;
use super::entry::{Entry, kept};
use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::Form;
use crate::problem::Problem;
use crate::text::settings as text;
use crate::visitor::{Editor, Visitor};

/// `names/add`: one more name to be called by.
pub async fn add_name(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let mut entry = Entry { alias: kept(fields.text("alias")), ..Entry::default() };
    let Some(alias) = entry.complaints.read("alias", Name::parse(fields.text("alias"))) else {
        return entry.returned(&dashboard, &visitor).await;
    };
    let told = text::names::added(alias.as_str());
    let change = OwnChange { add_aliases: vec![alias], ..OwnChange::default() };
    match apply(&dashboard, &visitor, change).await {
        Ok(_) => dashboard.send_on(PATH, Flash::success(told)),
        Err(error) => entry.refused(&dashboard, &visitor, "alias", error).await,
    }
}

/// `names/remove`: one name less.
pub async fn remove_name(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let alias = Name::parse(fields.text("name")).map_err(|_| Problem::NotFound)?;
    let told = text::names::removed(alias.as_str());
    let change = OwnChange { remove_aliases: vec![alias], ..OwnChange::default() };
    apply(&dashboard, &visitor, change).await?;
    dashboard.send_on(PATH, Flash::success(told))
}

/// `time-zone`: another time zone.
pub async fn set_time_zone(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let typed = fields.filled("timezone").unwrap_or_default();
    let mut entry = Entry { timezone: Some(kept(typed)), ..Entry::default() };
    let Some(calendar) = entry.complaints.read("timezone", Calendar::parse(typed)) else {
        return entry.returned(&dashboard, &visitor).await;
    };
    let timezone = Some(calendar.name().to_owned());
    let changed =
        apply(&dashboard, &visitor, OwnChange { timezone, ..OwnChange::default() }).await?;
    dashboard.send_on(PATH, Flash::success(text::zone::saved(&changed.timezone)))
}

async fn apply(dashboard: &Dashboard, visitor: &Visitor, change: OwnChange) -> AppResult<Reseller> {
    let (scope, tiers) = (visitor.caller.scope.clone(), dashboard.tiers.clone());
    let apply = move |tx: &mut dyn weir_store::SystemTx| {
        resellers::update_own(tx, &tiers, &scope, change.clone())
    };
    dashboard.db.system(Purpose::Administer, apply).await
}
