//! A real mail server for tests, of independent make: Debian's `aiosmtpd`.
//!
//! ```no_run
//! # async fn example() {
//! use weir_testkit::mailbox::{Mailbox, Security};
//!
//! let mut mailbox = Mailbox::start(Security::StartTls).await;
//! // … something is sent to 127.0.0.1, mailbox.port() …
//! let letter = mailbox.next().await;
//! assert!(letter.encrypted && letter.plain.contains("Sign in"));
//! # }
//! ```
//!
//! It accepts mail from [`USER`] with [`PASSWORD`] alone, whatever the [`Security`]. Anything that goes
//! wrong here panics: it is for tests.

mod authority;

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

pub use authority::Authority;

use crate::conversation::Conversation;

/// Who may send mail.
pub const USER: &str = "weir";

/// The password to it.
pub const PASSWORD: &str = "a password that only tests share";

/// How connections are protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// Not at all.
    Plain,
    /// By STARTTLS, without which nothing is accepted.
    StartTls,
    /// By TLS from the first byte.
    Tls,
}

/// A mail server that keeps what it receives for the test.
#[derive(Debug)]
pub struct Mailbox {
    server: Conversation,
    port: u16,
    authority: Authority,
}

/// A message that was received.
#[derive(Debug, Deserialize)]
pub struct Letter {
    /// Who sent it, by the envelope.
    pub from: String,
    /// To whom, by the envelope.
    pub to: Vec<String>,
    /// Who had logged in to send it.
    pub user: Option<String>,
    /// Whether it came over TLS.
    pub encrypted: bool,
    /// Its subject.
    pub subject: String,
    /// Its part for people without pictures.
    pub plain: String,
    /// Its part in HTML.
    pub html: String,
    /// All of it, as it came.
    pub raw: String,
}

/// The server. The system's own Python runs it, since that is the one that has the package.
const PYTHON: &str = "/usr/bin/python3";
const PROGRAM: &str = include_str!("mailbox/server.py");

impl Mailbox {
    /// Starts a server on a port of its own, with a certificate from an authority of its own.
    pub async fn start(security: Security) -> Self {
        let authority = Authority::new();
        let settings = json!({
            "security": match security {
                Security::Plain => "plain",
                Security::StartTls => "starttls",
                Security::Tls => "tls",
            },
            "identity": authority.identity_file(),
            "user": USER,
            "password": PASSWORD,
        });
        let mut python = Command::new(PYTHON);
        // Its warnings are about running it in production.
        python.args(["-W", "ignore", "-c", PROGRAM, &settings.to_string()]);
        let mut server = Conversation::start(python);
        let port = server.hear("listening").await;
        let port = port.parse().unwrap_or_else(|_| panic!("no port: {port:?}"));
        Self { server, port, authority }
    }

    /// Its port on 127.0.0.1, which goes by `localhost` as well.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The certificate of the authority that vouches for it, in a PEM file.
    pub fn authority_file(&self) -> &Path {
        self.authority.file()
    }

    /// The next message, awaited.
    pub async fn next(&mut self) -> Letter {
        let letter = self.server.hear("letter").await;
        serde_json::from_str(&letter).unwrap_or_else(|error| panic!("no letter: {error}: {letter}"))
    }

    /// Whether it holds no message that was not read.
    pub fn is_empty(&mut self) -> bool {
        !self.server.has_said("letter")
    }
}

#[cfg(test)]
mod tests;
