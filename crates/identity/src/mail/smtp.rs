//! Mail by SMTP.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use zeroize::Zeroizing;

use super::{Letter, Postman, Undelivered};

/// How long each step of a conversation with the mail server may take.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How a connection to a mail server is kept private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// It begins in the clear and turns to TLS, or it ends: it never goes on in the clear.
    Starttls,
    /// TLS from the beginning.
    Tls,
    /// Not at all; to this machine only.
    None,
}

impl Security {
    /// The port where it is usual.
    pub const fn usual_port(self) -> u16 {
        match self {
            Self::Starttls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

/// A mail server, and what is needed to use it.
#[derive(Clone)]
pub struct SmtpSettings {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is kept private.
    pub security: Security,
    /// A user and a password, where it asks for them.
    pub credentials: Option<(String, Zeroizing<String>)>,
    /// Whom letters are from.
    pub from: String,
    /// A file with the certificates (PEM) of the only authorities that are trusted; else those that
    /// the system trusts are.
    pub ca_file: Option<PathBuf>,
}

impl fmt::Debug for SmtpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpSettings")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("security", &self.security)
            .finish_non_exhaustive()
    }
}

/// Why a mail server cannot be used as it is configured. Each says which part of it is at fault.
#[derive(Debug, thiserror::Error)]
pub enum NotUsable {
    /// The sender is no address.
    #[error("must be an address such as weir@example.org or Weir <weir@example.org>")]
    From,
    /// Mail would go through a network in the clear.
    #[error("may be none only where the mail server is on this machine (localhost)")]
    Clear,
    /// The certificates cannot be read.
    #[error("cannot be read: {0}")]
    CaFile(String),
    /// TLS cannot be used.
    #[error("cannot be used: {0}")]
    Tls(String),
}

/// Sends letters by a mail server.
pub struct SmtpPostman {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl SmtpPostman {
    /// A postman who goes to that server. Nothing is connected yet.
    pub fn new(settings: &SmtpSettings) -> Result<Self, NotUsable> {
        let from = settings.from.parse().map_err(|_| NotUsable::From)?;
        let tls = match settings.security {
            Security::Starttls => Tls::Required(trust(settings)?),
            Security::Tls => Tls::Wrapper(trust(settings)?),
            Security::None if is_here(&settings.host) => Tls::None,
            Security::None => return Err(NotUsable::Clear),
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&settings.host)
            .port(settings.port)
            .tls(tls)
            .timeout(Some(TIMEOUT));
        if let Some((user, password)) = &settings.credentials {
            transport = transport.credentials(Credentials::new(user.clone(), password.to_string()));
        }
        Ok(Self { transport: transport.build(), from })
    }

    async fn send(&self, letter: &Letter) -> Result<(), Undelivered> {
        let unwritable = |_| Undelivered("the letter cannot be written".to_owned());
        let to: Address = letter
            .to()
            .as_str()
            .parse()
            .map_err(|_| Undelivered("mail servers know no such addresses".to_owned()))?;
        let body =
            MultiPart::alternative_plain_html(letter.text().to_string(), letter.page().to_string());
        let message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(letter.subject())
            .multipart(body)
            .map_err(unwritable)?;
        self.transport.send(message).await.map(drop).map_err(|error| told(&error))
    }
}

impl Postman for SmtpPostman {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), Undelivered>> {
        self.send(letter).boxed()
    }
}

/// What went wrong. What a mail server says may repeat the address, so of that only the code is told.
fn told(error: &lettre::transport::smtp::Error) -> Undelivered {
    Undelivered(match error.status() {
        Some(code) => format!("the mail server refused it with {code}"),
        None if error.is_response() => "the mail server answers in another language".to_owned(),
        None if error.is_timeout() => "the mail server does not answer".to_owned(),
        None => format!("the mail server cannot be used: {error}"),
    })
}

fn trust(settings: &SmtpSettings) -> Result<TlsParameters, NotUsable> {
    let mut tls = TlsParameters::builder(settings.host.clone());
    if let Some(path) = &settings.ca_file {
        let unreadable =
            |reason: String| NotUsable::CaFile(format!("{}: {reason}", path.display()));
        let pem = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        if !pem.windows(PEM.len()).any(|bytes| bytes == PEM) {
            return Err(unreadable("no certificate in PEM form is in it".to_owned()));
        }
        let authority =
            Certificate::from_pem(&pem).map_err(|error| unreadable(error.to_string()))?;
        tls = tls.certificate_store(CertificateStore::None).add_root_certificate(authority);
    }
    tls.build().map_err(|error| NotUsable::Tls(error.to_string()))
}

/// How a certificate begins. A file without one would be read as one that trusts nobody.
const PEM: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// Whether a host is this machine, by its name or address alone.
fn is_here(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
