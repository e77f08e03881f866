//! `POST /unregistered-devices`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use weir_app::sightings::{self, Intended, Registered};
use weir_domain::Eui;

use crate::flash::Flash;
use crate::forms::{Fields, Form};
use crate::problem::Problem;
use crate::text::unregistered as text;
use crate::visitor::Editor;
use crate::{Dashboard, customers};

/// How many are registered in one transaction at most; a page shows fewer.
const AT_ONCE: usize = 1_000;

/// Registers one device, or all that the page showed, for a customer.
pub async fn adopt(
    visitor: Editor,
    State(dashboard): State<Arc<Dashboard>>,
    Form(fields): Form,
) -> Result<Response, Problem> {
    let euis = chosen(&fields);
    let (Some(customer), false) = (customers::chosen(&fields), euis.is_empty()) else {
        return dashboard.send_on(super::PATH, Flash::failure(text::CHOOSE));
    };
    // The name that comes of it is cut and cleaned, whatever it begins with.
    let intended = Intended { customer, name_prefix: fields.text("prefix").to_owned() };
    let (scope, env) = (visitor.caller.scope.clone(), dashboard.env.clone());
    let registered = dashboard.db.write(&visitor.caller.scope, move |tx| {
        sightings::register(tx, &scope, &env, &intended, &euis)
    });
    let told = outcome(&registered.await?);
    dashboard.send_on(&format!("{}?customer={customer}", super::PATH), told)
}

/// The one whose button was pressed, else all that were shown.
fn chosen(fields: &Fields) -> Vec<Eui> {
    let named: Vec<&str> = match fields.filled("adopt") {
        Some(one) => vec![one],
        None => fields.all("shown").take(AT_ONCE).collect(),
    };
    named.into_iter().filter_map(|eui| Eui::parse(eui).ok()).collect()
}

fn outcome(Registered { devices, failed }: &Registered) -> Flash {
    let adopted = text::adopted(devices.len());
    if failed.is_empty() {
        return Flash::success(adopted);
    }
    let failed = failed.iter().map(|(eui, refusal)| format!("{eui}: {refusal}"));
    let told: Vec<String> = std::iter::once(adopted).chain(failed).collect();
    Flash::failure(told.join(" "))
}
