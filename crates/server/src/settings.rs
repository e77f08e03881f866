//! Settings: flags, then `WEIR_…` variables, then the settings file, then what is built in.

mod sign_in;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use config::{Config, ConfigError, Environment, File, FileFormat};
use serde::{Deserialize, Deserializer};
use weir_domain::billing::{NotTiers, Tier, Tiers};
use weir_identity::issuer::{IssuerSettings, NotAnIssuer};

use crate::cli::SettingsArgs;

/// How long requests that have begun may take once the service is told to stop. With the settling
/// after it, stopping stays below 10 seconds.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

const FILE: &str = "weir.toml";
const PREFIX: &str = "WEIR_";

/// The settings of a process. Every field is also a variable (`data_dir` is `WEIR_DATA_DIR`) and a
/// key of the settings file.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The store, as it was given; see [`Settings::database`].
    database: Option<String>,
    /// The directory of the spool and of an embedded store.
    pub data_dir: PathBuf,
    /// Where to listen.
    pub listen: String,
    /// The server's secret, at least 16 bytes; else it is made once and kept in the store.
    pub secret: Option<String>,
    /// A file that holds the server's secret.
    pub secret_file: Option<PathBuf>,
    /// The origins whose pages may call the API from a browser.
    #[serde(deserialize_with = "list")]
    pub cors_origins: Vec<String>,
    /// What is logged, as in `info` or `info,weir_ingest=debug`.
    pub log: String,
    /// Whether the log is lines of JSON.
    pub log_json: bool,
    /// How many connections may be open.
    pub max_connections: usize,
    /// How long a request may take to arrive, in seconds.
    pub header_timeout_seconds: u64,
    /// How long an idle connection is kept, in seconds.
    pub idle_timeout_seconds: u64,
    /// How long a request may take to be answered, in seconds.
    pub request_timeout_seconds: u64,
    /// How many acknowledged uplinks may wait to be settled.
    pub spool_max_pending: u64,
    /// How many connections to PostgreSQL are kept.
    pub postgres_connections: usize,
    /// The S3-compatible bucket for reports; else they lie in the data directory.
    pub report_bucket: Option<String>,
    /// The address of the bucket's server, where that is not Amazon's.
    pub report_endpoint: Option<String>,
    /// The bucket's region.
    pub report_region: String,
    /// The id of the key to the bucket.
    pub report_access_key_id: Option<String>,
    /// The key to the bucket.
    pub report_secret_access_key: Option<String>,
    /// Issuers of tokens that are trusted, by name; see [`Settings::issuers`].
    issuers: BTreeMap<String, IssuerSettings>,
    /// Tiers in the places of the built-in ones or beside them, by name; see [`Settings::tiers`].
    tiers: BTreeMap<String, Tier>,
    /// The currency of what tiers cost, where it is not the euro.
    currency: Option<String>,
    /// Where people and other services find this one; see [`Settings::public_url`].
    public_url: Option<String>,
    /// Proxies that are trusted to say for whom they ask; see [`Settings::trusted_proxies`].
    #[serde(deserialize_with = "list")]
    trusted_proxies: Vec<String>,
    /// The mail server that sends sign-in links; see [`Settings::smtp`].
    smtp_host: Option<String>,
    /// Its port, where that is not the usual one.
    smtp_port: Option<u16>,
    /// How the connection to it is kept private: `starttls`, `tls` or `none`.
    smtp_security: Option<String>,
    /// The user that it asks for.
    smtp_username: Option<String>,
    /// The password that it asks for.
    smtp_password: Option<String>,
    /// Whom mail is from.
    smtp_from: Option<String>,
    /// The authorities that are trusted to vouch for it, in the place of the system's.
    smtp_ca_file: Option<PathBuf>,
    /// Whether anybody may sign up, and become a reseller by that.
    pub sign_up: bool,
    /// What was given and is not known.
    #[serde(skip)]
    unknown: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            database: None,
            data_dir: "weir-data".into(),
            listen: "127.0.0.1:8080".into(),
            secret: None,
            secret_file: None,
            cors_origins: Vec::new(),
            log: "info,refinery_core=warn".into(),
            log_json: false,
            max_connections: 10_000,
            header_timeout_seconds: 10,
            idle_timeout_seconds: 75,
            request_timeout_seconds: 30,
            spool_max_pending: 10_000_000,
            postgres_connections: 6,
            report_bucket: None,
            report_endpoint: None,
            report_region: "us-east-1".into(),
            report_access_key_id: None,
            report_secret_access_key: None,
            issuers: BTreeMap::new(),
            tiers: BTreeMap::new(),
            currency: None,
            public_url: None,
            trusted_proxies: Vec::new(),
            smtp_host: None,
            smtp_port: None,
            smtp_security: None,
            smtp_username: None,
            smtp_password: None,
            smtp_from: None,
            smtp_ca_file: None,
            sign_up: false,
            unknown: Vec::new(),
        }
    }
}

/// The names of all settings. A test holds it to the fields.
const NAMES: [&str; 32] = [
    "database",
    "data_dir",
    "listen",
    "secret",
    "secret_file",
    "cors_origins",
    "log",
    "log_json",
    "max_connections",
    "header_timeout_seconds",
    "idle_timeout_seconds",
    "request_timeout_seconds",
    "spool_max_pending",
    "postgres_connections",
    "report_bucket",
    "report_endpoint",
    "report_region",
    "report_access_key_id",
    "report_secret_access_key",
    "issuers",
    "tiers",
    "currency",
    "public_url",
    "trusted_proxies",
    "smtp_host",
    "smtp_port",
    "smtp_security",
    "smtp_username",
    "smtp_password",
    "smtp_from",
    "smtp_ca_file",
    "sign_up",
];

/// The store that a URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// An embedded store in a file.
    Sqlite(PathBuf),
    /// A PostgreSQL server.
    Postgres(String),
}

/// What is wrong with the settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A value that cannot be read.
    #[error("a setting cannot be read: {}", without_source(.0))]
    Unreadable(#[from] ConfigError),
    /// Tiers that make no sense.
    #[error(transparent)]
    Tiers(#[from] NotTiers),
    /// An issuer that makes no sense.
    #[error(transparent)]
    Issuer(#[from] NotAnIssuer),
    /// A database of no known kind.
    #[error("the database {0:?} is neither sqlite:<path> nor postgres://…")]
    UnknownDatabase(String),
    /// A setting that makes no sense.
    #[error("the setting {name} {reason}")]
    Senseless {
        /// Which.
        name: &'static str,
        /// Why.
        reason: String,
    },
    /// The secret's file cannot be read.
    #[error("the secret cannot be read from {path:?}: {error}")]
    SecretFile {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
}

impl Settings {
    /// Reads the settings of this process.
    pub fn read(args: &SettingsArgs) -> Result<Self, SettingsError> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one place that reads the environment"
        )]
        let variables = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        Self::gather(args, variables.collect())
    }

    fn gather(
        args: &SettingsArgs,
        variables: Vec<(String, String)>,
    ) -> Result<Self, SettingsError> {
        let file = match &args.config {
            Some(path) => File::from(path.as_path()).format(FileFormat::Toml).required(true),
            None => File::from(Path::new(FILE)).format(FileFormat::Toml).required(false),
        };
        // Empty means unset, so that a deployment can blank a variable out.
        let ours = variables
            .into_iter()
            .filter(|(name, value)| name.starts_with(PREFIX) && !value.is_empty());
        let environment =
            Environment::with_prefix("WEIR").prefix_separator("_").source(Some(ours.collect()));
        let given = Config::builder()
            .add_source(file)
            .add_source(environment)
            .set_override_option("database", args.database.clone())?
            .set_override_option(
                "data_dir",
                args.data_dir.as_ref().map(|dir| dir.display().to_string()),
            )?
            .set_override_option("listen", args.listen.clone())?
            .build()?;
        let known = BTreeSet::from(NAMES);
        let keys: BTreeSet<String> = given.cache.clone().into_table()?.into_keys().collect();
        let mut settings: Self = given.try_deserialize()?;
        settings.unknown = keys.into_iter().filter(|key| !known.contains(key.as_str())).collect();
        Ok(settings)
    }

    /// Warns of settings that nobody knows: they may be misspelt.
    pub fn warn(&self) {
        for name in &self.unknown {
            tracing::warn!(
                "ignoring the unknown setting {name} ({PREFIX}{} or {name} in the settings file)",
                name.to_uppercase()
            );
        }
    }

    /// The store.
    pub fn database(&self) -> Result<Database, SettingsError> {
        let Some(url) = &self.database else {
            return Ok(Database::Sqlite(self.data_dir.join("weir.db")));
        };
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(Database::Postgres(url.clone()));
        }
        let path = url
            .strip_prefix("sqlite:")
            .ok_or_else(|| SettingsError::UnknownDatabase(redact(url)))?;
        // Both `sqlite:weir.db` and the URL forms `sqlite://weir.db`, `sqlite:///srv/weir.db`.
        let path = path.strip_prefix("//").unwrap_or(path);
        if path.is_empty() {
            return Err(SettingsError::UnknownDatabase(url.clone()));
        }
        Ok(Database::Sqlite(path.into()))
    }

    /// The tiers that resellers can be on.
    pub fn tiers(&self) -> Result<Tiers, SettingsError> {
        let others = self.tiers.iter().map(|(name, tier)| (name.clone(), *tier));
        Ok(Tiers::with(others, self.currency.as_deref())?)
    }

    /// Where spools lie.
    pub fn spool_dir(&self) -> PathBuf {
        self.data_dir.join("spool")
    }

    /// The secret that the operator gives, if they do.
    pub fn secret(&self) -> Result<Option<Vec<u8>>, SettingsError> {
        if let Some(secret) = &self.secret {
            return Ok(Some(secret.clone().into_bytes()));
        }
        let Some(path) = &self.secret_file else { return Ok(None) };
        let secret = std::fs::read(path)
            .map_err(|error| SettingsError::SecretFile { path: path.clone(), error })?;
        Ok(Some(secret.trim_ascii().to_vec()))
    }

    /// The limits of the HTTP transport.
    pub fn http_limits(&self) -> crate::http::Limits {
        crate::http::Limits {
            max_connections: self.max_connections,
            header_timeout: Duration::from_secs(self.header_timeout_seconds),
            idle_timeout: Duration::from_secs(self.idle_timeout_seconds),
            request_timeout: Duration::from_secs(self.request_timeout_seconds),
            shutdown_grace: SHUTDOWN_GRACE,
            ..crate::http::Limits::default()
        }
    }
}

/// A list, or a text with commas: variables have no lists.
fn list<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Text(String),
        List(Vec<String>),
    }
    Ok(match Given::deserialize(value)? {
        Given::List(list) => list,
        Given::Text(text) => text.split(',').map(|item| item.trim().to_owned()).collect(),
    })
}

/// What is wrong with a settings file, without the lines of it that are quoted: they may hold secrets.
fn without_source(error: &ConfigError) -> String {
    let is_number = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == ' ');
    let is_quoted = |line: &&str| line.split_once('|').is_some_and(|(left, _)| is_number(left));
    let said = without_value(&error.to_string());
    let lines: Vec<&str> = said.lines().filter(|line| !is_quoted(line)).map(str::trim).collect();
    lines.join(", ")
}

/// What is wrong with a value, without the value: a text in the wrong place may be a secret too.
fn without_value(said: &str) -> String {
    let wrongs = ["invalid type", "invalid value", "unknown variant"];
    let found = wrongs.iter().find_map(|wrong| {
        let (before, rest) = said.split_once(wrong)?;
        let (_, expected) = rest.rsplit_once(", expected ")?;
        Some(format!("{before}{wrong}, expected {expected}"))
    });
    found.unwrap_or_else(|| said.to_owned())
}

/// A URL without what may be a password in it.
fn redact(url: &str) -> String {
    url.split_once(':').map_or_else(|| "…".to_owned(), |(scheme, _)| format!("{scheme}:…"))
}

#[cfg(test)]
mod tests;
