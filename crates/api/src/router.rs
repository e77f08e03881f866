//! The table of contents, and what stands around it.

use std::sync::Arc;

use axum::Router;
use tower::Layer;
use tower::util::option_layer;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::around::around;
use crate::cors::Origins;
use crate::failure::ErrorPage;
use crate::guard::{self, Guard};
use crate::state::Service;
use crate::{
    customers, devices, end_users, failure, health, ingest, me, members, openapi, pages,
    request_id, reseller, sign_in, unregistered,
};

/// What is served beside the interface: pages for people, and the one that tells them of an error.
pub struct Beside {
    /// The pages.
    pub pages: Router,
    /// The page of an error.
    pub error_page: ErrorPage,
}

/// The whole interface, with what is served beside it.
pub fn router(service: Service, origins: &Origins, beside: Beside) -> Router {
    let (operations, document) = parts();
    let Beside { pages, error_page } = beside;
    let routes = operations.merge(pages::documentation(&document)).merge(pages.with_state(()));
    assemble(routes, Arc::new(service), origins, error_page)
}

/// Every operation. Its path and method stand beside its handler.
pub(crate) fn operations() -> OpenApiRouter<Arc<Service>> {
    OpenApiRouter::with_openapi(openapi::frame())
        // Ingestion
        .routes(routes!(ingest::ingest))
        // Devices
        .routes(routes!(devices::list::list))
        .routes(routes!(devices::register::register))
        .routes(routes!(devices::stats::stats))
        .routes(routes!(devices::lookup::lookup))
        .routes(routes!(devices::update::update))
        .routes(routes!(devices::delete::delete))
        .routes(routes!(devices::set_status::set_status))
        .routes(routes!(devices::set_parent::set_parent))
        .routes(routes!(devices::children::children))
        .routes(routes!(devices::restore::restore))
        .routes(routes!(devices::consumption::consumption))
        .routes(routes!(devices::consumption_per_day::consumption_per_day))
        .routes(routes!(devices::hierarchy_batch::hierarchy_batch))
        .routes(routes!(devices::bulk_status::bulk_status))
        .routes(routes!(devices::bulk_delete::bulk_delete))
        .routes(routes!(devices::assign::assign))
        .routes(routes!(devices::bulk_assign::bulk_assign))
        .routes(routes!(devices::assign_customer::assign_customer))
        .routes(routes!(devices::bulk_assign_customer::bulk_assign_customer))
        .routes(routes!(devices::ownership_history::ownership_history))
        .routes(routes!(devices::ownership_report::ownership_report))
        .routes(routes!(unregistered::list::list))
        // Customers
        .routes(routes!(customers::list::list))
        .routes(routes!(customers::create::create))
        .routes(routes!(customers::lookup::lookup))
        .routes(routes!(customers::update::update))
        .routes(routes!(customers::delete::delete))
        .routes(routes!(customers::register_unregistered::register_unregistered))
        // End users
        .routes(routes!(end_users::list::list))
        .routes(routes!(end_users::create::create))
        .routes(routes!(end_users::lookup::lookup))
        .routes(routes!(end_users::update::update))
        .routes(routes!(end_users::delete::delete))
        // Members
        .routes(routes!(me::me))
        .routes(routes!(members::list::list))
        .routes(routes!(members::add::add))
        .routes(routes!(members::remove::remove))
        // The reseller
        .routes(routes!(reseller::billing::billing))
        // Signing in
        .routes(routes!(sign_in::magic_link::magic_link))
        .routes(routes!(sign_in::follow::follow))
        .routes(routes!(sign_in::start::start))
        .routes(routes!(sign_in::callback::callback))
        .routes(routes!(sign_in::refresh::refresh))
        .routes(routes!(sign_in::sign_out::sign_out))
        .routes(routes!(sign_in::jwks::jwks))
        .routes(routes!(sign_in::openid_configuration::openid_configuration))
        // Public
        .routes(routes!(health::health))
        .routes(routes!(pages::ping))
}

/// The routes of all operations, and their document.
pub(crate) fn parts() -> (Router<Arc<Service>>, OpenApi) {
    let (routes, mut document) = operations().split_for_parts();
    openapi::complete(&mut document);
    (routes, document)
}

/// Puts around routes what every request passes, from the outside in: the name of the request, CORS,
/// compression, what caches may keep, the form of errors.
///
/// These stand around the router as a whole and not on its routes, because axum adds headers to what
/// a route answers after the layers of the route have seen it.
fn assemble<S: Guard>(
    routes: Router<S>,
    state: S,
    origins: &Origins,
    error_page: ErrorPage,
) -> Router {
    let routes = routes
        .fallback(guard::not_found::<S>)
        .method_not_allowed_fallback(guard::method_not_allowed::<S>)
        .with_state(state);
    let secretive = around(routes, guard::keep_secret);
    let contain = move |inner: &mut _, request| failure::contain(inner, request, error_page);
    let contained = around(secretive, contain);
    let contained = around(contained, sign_in::keep_out_of_caches);
    // As fast as it goes: it is done on the thread of the connection, where others wait meanwhile.
    let compressed = CompressionLayer::new().quality(CompressionLevel::Fastest).layer(contained);
    let shared = option_layer(origins.layer()).layer(compressed);
    Router::new().fallback_service(around(shared, request_id::assign))
}

#[cfg(test)]
mod tests;
