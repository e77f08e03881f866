//! What a service speaks with beside its store.

use std::sync::Arc;

use weir_identity::issuer::Issuer;
use weir_identity::mail::Postman;

/// What a service speaks with beside its store; nothing, where nothing is said.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// Issuers whose tokens it trusts, and at whom people can sign in where it is their client.
    pub issuers: Vec<Issuer>,
    /// Who delivers its letters, in the place of [`TestApp::letters`](super::TestApp::letters).
    pub postman: Option<Arc<dyn Postman>>,
    /// Whether anybody may sign up.
    pub sign_up: bool,
}
