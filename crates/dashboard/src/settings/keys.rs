//! `POST /settings/keys/…`

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use weir_app::api_keys::{self, Minting};
use weir_domain::Name;
use weir_store::Purpose;

use super::entry::{Entry, Revealed, kept};
use super::{PATH, page};
use crate::Dashboard;
use crate::flash::Flash;
use crate::forms::{Fields, Form};
use crate::problem::Problem;
use crate::text::settings::keys as text;
use crate::visitor::Editor;

/// `/create`: makes a key with a name.
pub async fn create_key(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let mut entry = Entry { key: kept(fields.text("key")), ..Entry::default() };
    let Some(name) = entry.complaints.read("key", Name::parse(fields.text("key"))) else {
        return entry.returned(&dashboard, &visitor).await;
    };
    let (env, secret) = (dashboard.env.clone(), dashboard.secret().clone());
    let (reseller, minting, told) =
        (visitor.caller.scope.reseller(), Minting::random()?, text::created(name.as_str()));
    let created = dashboard.db.system(Purpose::Administer, move |tx| {
        api_keys::create(tx, &env, &secret, reseller, &name, &minting)
    });
    match created.await {
        Ok(_) => dashboard.send_on(PATH, Flash::success(told)),
        Err(error) => entry.refused(&dashboard, &visitor, "key", error).await,
    }
}

/// `/reveal`: shows a key, on the page that comes and on no other.
pub async fn reveal_key(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let name = named(&fields)?;
    let (secret, wanted) = (dashboard.secret().clone(), name.clone());
    let scope = &visitor.caller.scope;
    let key = dashboard.db.read(scope, move |tx| api_keys::reveal(tx, &secret, &wanted)).await?;
    let Some(key) = key else {
        return dashboard.send_on(PATH, Flash::failure(text::UNREADABLE));
    };
    let revealed = Revealed { name: name.to_string(), key: key.reveal().to_owned() };
    let entry = Entry { revealed: Some(revealed), ..Entry::default() };
    Ok(page::show(&dashboard, &visitor, entry, &Fields::default()).await?.into_response())
}

/// `/rotate`: replaces a key by a new one.
pub async fn rotate_key(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let name = named(&fields)?;
    let (env, secret) = (dashboard.env.clone(), dashboard.secret().clone());
    let (reseller, minting, told) =
        (visitor.caller.scope.reseller(), Minting::random()?, text::rotated(name.as_str()));
    let rotated = dashboard.db.system(Purpose::Administer, move |tx| {
        api_keys::rotate(tx, &env, &secret, reseller, &name, &minting)
    });
    rotated.await?;
    dashboard.send_on(PATH, Flash::success(told))
}

/// `/revoke`: takes a key away.
pub async fn revoke_key(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let name = named(&fields)?;
    let reseller = visitor.caller.scope.reseller();
    let revoked =
        dashboard.db.system(Purpose::Administer, move |tx| api_keys::revoke(tx, reseller, &name));
    let told = text::revoked(revoked.await?.name.as_str());
    dashboard.send_on(PATH, Flash::success(told))
}

/// The key that a form is about. What is no name names none.
fn named(fields: &Fields) -> Result<Name, Problem> {
    Name::parse(fields.text("name")).map_err(|_| Problem::NotFound)
}
