//! Where a request comes from.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::request::Parts;
pub use weir_identity::source::{NotANetwork, TrustedProxies};

use crate::Service;
use crate::error::ApiError;

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source(pub IpAddr);

impl FromRequestParts<Arc<Service>> for Source {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Arc<Service>,
    ) -> Result<Self, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map(|ConnectInfo(peer)| *peer);
        Ok(Self(service.proxies.source_of(peer, &parts.headers)))
    }
}
