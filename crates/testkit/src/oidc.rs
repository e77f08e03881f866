//! A real identity provider for tests, of independent make: npm's `oidc-provider`, which the OpenID
//! Foundation has certified. `make tools` installs it.
//!
//! ```no_run
//! # async fn example() {
//! use weir_testkit::oidc::{Browser, Provider};
//!
//! let provider = Provider::start("http://weir.test/auth/test/callback").await;
//! let authorization = format!("{}/auth?client_id=weir&…", provider.issuer());
//! let callback = Browser::new().sign_in(&authorization, "ada").await;
//! assert!(callback.query_pairs().any(|(name, _)| name == "code"));
//! # }
//! ```
//!
//! It knows `ada`, `grace`, `mallory`, who says that Ada's address is hers, and `nameless`, who has none.
//! Its clients are [`CLIENT`], whose tokens are signed with RS256, and [`CLIENT_ES256`]; PKCE is
//! required. Anything that goes wrong here panics: it is for tests.

mod browser;
mod token;

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

pub use browser::Browser;

use crate::conversation::Conversation;

/// A client whose ID tokens are signed with RS256.
pub const CLIENT: &str = "weir";

/// A client whose ID tokens are signed with ES256.
pub const CLIENT_ES256: &str = "weir-es256";

/// The secret of both, with characters that a header cannot hold as they are.
pub const CLIENT_SECRET: &str = "a secret of % and : that only tests share";

/// How clients prove who they are to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientAuth {
    /// In a header.
    Basic,
    /// In the form.
    Post,
}

/// An identity provider with a port of its own.
#[derive(Debug)]
pub struct Provider {
    server: Conversation,
    issuer: String,
    redirect_uri: String,
}

const PROGRAM: &str = include_str!("../oidc/provider.mjs");

impl Provider {
    /// Starts a provider that sends people back to that address.
    pub async fn start(redirect_uri: &str) -> Self {
        Self::start_with(redirect_uri, ClientAuth::Basic).await
    }

    /// The same, for clients that prove who they are in one way alone.
    pub async fn start_with(redirect_uri: &str, client_auth: ClientAuth) -> Self {
        let client_auth = match client_auth {
            ClientAuth::Basic => "client_secret_basic",
            ClientAuth::Post => "client_secret_post",
        };
        let settings = json!({ "redirect_uri": redirect_uri, "client_auth": client_auth });
        let mut node = Command::new("node");
        node.args(["--input-type=module", "--eval", PROGRAM, "--"]).arg(settings.to_string());
        node.current_dir(packages());
        let mut server = Conversation::start(node);
        let issuer = server.hear("listening").await;
        Self { server, issuer, redirect_uri: redirect_uri.to_owned() }
    }

    /// Its address, which is the issuer of its tokens.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// A token that it gives to a client for someone who signs in, as that client would get it.
    pub async fn id_token(&self, client: &str, name: &str) -> String {
        token::ask(self, client, name).await
    }

    /// Changes all its keys at once, as a provider does that fears for them.
    pub async fn rotate_keys(&mut self) {
        self.server.tell("rotate");
        self.server.hear("rotated").await;
    }
}

/// Where `make tools` put the package: beside what cargo builds, of which this test is a part.
fn packages() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("no program: {error}"));
    let folders = program.ancestors().map(|folder| folder.join("testkit-oidc"));
    let found = folders.into_iter().find(|folder| folder.join("node_modules").exists());
    found.unwrap_or_else(|| panic!("no oidc-provider: `make tools` installs it"))
}

#[cfg(test)]
mod tests;
