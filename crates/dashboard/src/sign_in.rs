//! Signing in and out, and up where the operator allows it.
//!
//! Links are asked for beneath `/auth`, where the cookie goes that tells the browser which asked. They
//! are followed there too, as programs follow them, at the interface.

pub mod ask;
pub mod out;
pub mod page;
pub mod up;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};
use weir_app::sign_in::RandomToken;
use weir_domain::sign_in::LINK_LIFETIME;
use weir_identity::cookie::{self, AUTH, BROWSER};

use crate::Dashboard;
use crate::problem::Problem;
use crate::text::sign_in as text;

/// Where those are who asked for a link.
pub const SENT: &str = "/sign-in/sent";

/// The browser that asks for a link: what it is told by, and the header by which it keeps that.
struct Browser {
    token: RandomToken,
    cookie: HeaderValue,
}

impl Browser {
    /// The one that asks, under the name that it may have from before.
    fn asking(dashboard: &Dashboard, headers: &HeaderMap) -> Result<Self, Problem> {
        let known = cookie::find(headers, BROWSER).and_then(RandomToken::parse);
        let token = known.map_or_else(RandomToken::random, Ok)?;
        let name = (BROWSER, AUTH);
        let cookie = cookie::set(name, &token.reveal(), LINK_LIFETIME, dashboard.is_https());
        Ok(Self { token, cookie: cookie.ok_or(Problem::Internal)? })
    }
}

/// Where somebody asks for a link from.
pub struct Source(IpAddr);

impl Source {
    /// Whether one more link may be asked for from there; else what they are told. It counts, so it is asked
    /// for when nothing else is wrong: other sites' forms and mistyped addresses use nothing up.
    fn may_ask(&self, dashboard: &Dashboard) -> Result<(), String> {
        dashboard.sign_in.sources.take(self.0).map_err(|_| text::TOO_MANY.to_owned())
    }
}

impl FromRequestParts<Arc<Dashboard>> for Source {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        dashboard: &Arc<Dashboard>,
    ) -> Result<Self, Problem> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(peer)| *peer);
        Ok(Self(dashboard.proxies.source_of(peer, &parts.headers)))
    }
}
