//! The table of contents, and what stands around it.

use std::sync::Arc;

use axum::routing::{get, post};
use axum::{Router, middleware};

use crate::state::Dashboard;
use crate::{
    assets, choose, customers, device, end_users, fleet, hierarchy, overview, security, settings,
    sign_in, unregistered,
};

/// All pages.
pub fn router(dashboard: Dashboard) -> Router {
    let dashboard = Arc::new(dashboard);
    Router::new()
        .route("/", get(overview::page))
        // The fleet
        .route("/devices", get(fleet::list))
        .route("/devices/bulk", post(fleet::bulk::bulk))
        .route("/devices/export.csv", get(fleet::export::export))
        .route("/devices/import", get(fleet::import::form).post(fleet::import::import))
        .route("/devices/register", get(fleet::register::form).post(fleet::register::register))
        .route("/devices/{device}", get(device::page))
        .route("/devices/{device}/edit", get(device::edit::form).post(device::edit::save))
        .route("/devices/{device}/readings", get(device::readings::page))
        .route("/devices/{device}/reports/{file}", get(device::report::download))
        .route("/devices/{device}/restore", post(device::restore::restore))
        .route("/hierarchy", get(hierarchy::page))
        .route("/hierarchy/move", get(hierarchy::moving::form).post(hierarchy::moving::carry_out))
        // Whom it belongs to
        .route("/customers", get(customers::list))
        .route("/customers/new", get(customers::blank).post(customers::create))
        .route("/customers/{id}", get(customers::page).post(customers::save))
        .route("/customers/{id}/delete", post(customers::delete))
        .route("/end-users", get(end_users::list))
        .route("/end-users/new", get(end_users::blank).post(end_users::create))
        .route("/end-users/{id}", get(end_users::page).post(end_users::save))
        .route("/end-users/{id}/delete", post(end_users::delete))
        .route("/unregistered-devices", get(unregistered::list).post(unregistered::adopt))
        .route("/settings", get(settings::page))
        .route("/settings/keys/create", post(settings::create_key))
        .route("/settings/keys/reveal", post(settings::reveal_key))
        .route("/settings/keys/rotate", post(settings::rotate_key))
        .route("/settings/keys/revoke", post(settings::revoke_key))
        .route("/settings/members/add", post(settings::add_member))
        .route("/settings/members/remove", post(settings::remove_member))
        .route("/settings/names/add", post(settings::add_name))
        .route("/settings/names/remove", post(settings::remove_name))
        .route("/settings/time-zone", post(settings::set_time_zone))
        // Signing in
        .route("/sign-in", get(sign_in::page::page))
        .route("/sign-in/sent", get(sign_in::page::sent))
        .route("/auth/sign-in", post(sign_in::ask::ask))
        .route("/sign-out", post(sign_in::out::sign_out))
        .route("/sign-up", get(sign_in::up::page))
        .route("/auth/sign-up", post(sign_in::up::ask))
        .route("/auth/sign-up/follow", get(sign_in::up::follow))
        .route("/choose", get(choose::page).post(choose::choose))
        .layer(middleware::from_fn_with_state(dashboard.clone(), security::guard))
        .route("/assets/{version}/{name}", get(assets::serve))
        .with_state(dashboard)
}
