//! The benchmark of pages: how soon somebody sees something who opens the demonstration.
//!
//! The demonstration is made at a first start. The service is then started anew, so that nothing of it is in
//! its memory, and whoever holds the printed link signs in and goes from page to page: the first time with all
//! styles and scripts that a page names, as a browser needs them that has none yet, one after the other on one
//! connection; then many times the page alone.

pub mod figures;
pub mod table;
#[cfg(test)]
mod tests;
mod visit;

use std::net::SocketAddr;

use crate::failure::Failure;
use crate::stage::{Places, Stage};
use crate::store::Kind;
use figures::{Page, Pages};
use visit::Visit;

/// The pages, the one that people come to first before all others.
const PATHS: [&str; 10] = [
    "/",
    "/devices",
    "/devices?search=court",
    "/devices/70b3d57ed0de0303",
    "/devices/70b3d57ed0de0303?days=365",
    "/hierarchy",
    "/customers",
    "/end-users",
    "/unregistered-devices",
    "/settings",
];

/// How often a page is asked for after its first time.
const TIMES: usize = 200;

/// Measures the demonstration on a fresh store.
pub async fn measure(
    kind: Kind,
    places: &Places,
) -> Result<(Option<&'static str>, Pages), Failure> {
    let stage = Stage::set(kind, places).await?;
    let (service, _) = stage.program.demonstrate().await?;
    service.stop().await?;
    stage.store.tidy().await?;
    let (service, link) = stage.program.demonstrate().await?;
    let pages = walk(service.address(), &link, &PATHS).await?;
    service.stop().await?;
    Ok((stage.store.note(), pages))
}

/// Signs in and asks for pages.
async fn walk(address: SocketAddr, link: &str, paths: &[&str]) -> Result<Pages, Failure> {
    let (mut visit, sign_in_ms) = Visit::begin(address, link).await?;
    let mut pages = Vec::with_capacity(paths.len());
    for path in paths {
        let first = visit.see(path).await?;
        let mut latencies = Vec::with_capacity(TIMES);
        for _ in 0..TIMES {
            latencies.push(visit.ask(path).await?);
        }
        pages.push(Page::of(path, first, &mut latencies));
    }
    Ok(Pages::of(sign_in_ms, pages))
}
