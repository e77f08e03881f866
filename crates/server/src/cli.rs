//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// A water-monitoring service for LoRaWAN meters.
#[derive(Debug, Parser)]
#[command(
    name = "weir",
    version,
    about = "A water-monitoring service for LoRaWAN meters.",
    max_term_width = 100
)]
pub struct Cli {
    /// Where the service and its data are.
    #[command(flatten)]
    pub settings: SettingsArgs,
    /// Print nothing but JSON on stdout.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do; `serve` where nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Settings that may stand after any command. They win over variables, which win over the file.
#[derive(Debug, Clone, Default, Args)]
pub struct SettingsArgs {
    /// The store: `sqlite:<path>` or `postgres://…` [default: sqlite:weir-data/weir.db]
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    /// The directory of the spool and of an embedded store [default: weir-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// The settings file [default: weir.toml, where there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The address to listen on, where `serve` is not said [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
}

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service (the default)
    Serve(Serve),
    /// Create, list, change and delete resellers
    #[command(subcommand)]
    Reseller(Reseller),
    /// Create, list, rotate and revoke API keys of a reseller
    #[command(subcommand)]
    ApiKey(ApiKey),
    /// Add, list and remove members of a reseller: those who may sign in for it
    #[command(subcommand)]
    Member(Member),
    /// Bring the store's schema up to date
    Migrate,
    /// Print the OpenAPI document
    Openapi,
    /// Check the settings and the store
    Check,
    /// Push realistic uplinks of a fleet of meters to a service, and tell how it took them
    Simulate(Simulate),
}

impl Default for Command {
    fn default() -> Self {
        Self::Serve(Serve { listen: None, demo: false })
    }
}

/// `weir serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// The address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// Show it with a reseller, customers, buildings and two years of readings
    #[arg(long)]
    pub demo: bool,
}

/// `weir reseller …`.
#[derive(Debug, Subcommand)]
pub enum Reseller {
    /// Create a reseller and print it with its first API key
    Create {
        /// Its name
        #[arg(long)]
        name: String,
        /// Its tier: starter, professional or enterprise [default: starter]
        #[arg(long)]
        tier: Option<String>,
        /// Another name that payloads may call it by (repeatable)
        #[arg(long = "alias", value_name = "ALIAS")]
        aliases: Vec<String>,
        /// How many uplinks a month may hold [default: 100000]
        #[arg(long, allow_negative_numbers = true)]
        quota: Option<i64>,
        /// Its time zone, by IANA name [default: UTC]
        #[arg(long)]
        timezone: Option<String>,
    },
    /// List all resellers
    List,
    /// Change a reseller
    Update {
        /// Which one: id, name, slug or alias
        #[arg(long)]
        reseller: String,
        /// A new name
        #[arg(long)]
        name: Option<String>,
        /// Another tier
        #[arg(long)]
        tier: Option<String>,
        /// One more name that payloads may call it by (repeatable)
        #[arg(long = "alias", value_name = "ALIAS")]
        aliases: Vec<String>,
        /// An alias to drop (repeatable)
        #[arg(long = "remove-alias", value_name = "ALIAS")]
        remove_aliases: Vec<String>,
        /// Another monthly quota
        #[arg(long, allow_negative_numbers = true)]
        quota: Option<i64>,
        /// Another time zone
        #[arg(long)]
        timezone: Option<String>,
    },
    /// Delete a reseller and everything of it
    Delete {
        /// Which one: id, name, slug or alias
        #[arg(long)]
        reseller: String,
    },
}

/// `weir api-key …`.
#[derive(Debug, Subcommand)]
pub enum ApiKey {
    /// Create a key and print it
    Create(KeyArgs),
    /// List the keys of a reseller, without their texts
    List {
        /// Whose: id, name, slug or alias
        #[arg(long)]
        reseller: String,
    },
    /// Replace a key by a new one of the same name and print it
    Rotate(KeyArgs),
    /// Revoke a key: it opens nothing any more
    Revoke(KeyArgs),
}

/// Which key.
#[derive(Debug, Args)]
pub struct KeyArgs {
    /// Whose: id, name, slug or alias
    #[arg(long)]
    pub reseller: String,
    /// The name of the key [default: default; for create, the first free of default, key-2, key-3, …]
    #[arg(long)]
    pub name: Option<String>,
}

/// `weir member …`.
#[derive(Debug, Subcommand)]
pub enum Member {
    /// Add a member and print it
    Add {
        /// Whose: id, name, slug or alias
        #[arg(long)]
        reseller: String,
        /// Who.
        #[command(flatten)]
        identity: Identity,
        /// What they may do: admin (everything) or viewer (look) [default: admin]
        #[arg(long)]
        role: Option<String>,
    },
    /// List the members of a reseller
    List {
        /// Whose: id, name, slug or alias
        #[arg(long)]
        reseller: String,
    },
    /// Remove a member: they may sign in for the reseller no more
    Remove {
        /// Whose: id, name, slug or alias
        #[arg(long)]
        reseller: String,
        /// Its id, in place of what they are known by
        #[arg(long, conflicts_with_all = ["email", "issuer", "subject"])]
        id: Option<String>,
        /// Who.
        #[command(flatten)]
        identity: Identity,
    },
}

/// By what someone is known: an address, or an issuer and what that calls them.
#[derive(Debug, Args)]
pub struct Identity {
    /// Their e-mail address
    #[arg(long, value_name = "ADDRESS", conflicts_with_all = ["issuer", "subject"])]
    pub email: Option<String>,
    /// The issuer of tokens that knows them, in place of an address
    #[arg(long, value_name = "URL", requires = "subject")]
    pub issuer: Option<String>,
    /// What the issuer calls them
    #[arg(long, requires = "issuer")]
    pub subject: Option<String>,
}

/// `weir simulate`.
#[derive(Debug, Args)]
pub struct Simulate {
    /// Where the service is, such as http://127.0.0.1:8080
    #[arg(long)]
    pub url: String,
    /// The key of the reseller whose meters they are
    #[arg(long, value_name = "KEY")]
    pub api_key: String,
    /// The tenant name in the uplinks [default: asked of the service]
    #[arg(long, value_name = "NAME")]
    pub tenant: Option<String>,
    /// How many meters; those that are missing are registered
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub devices: u32,
    /// How many uplinks a second, of all meters together
    #[arg(long, value_name = "R", required_unless_present = "burst", conflicts_with = "burst")]
    pub rate: Option<f64>,
    /// For how long
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub seconds: u64,
    /// All meters at once, at the start of every interval, in place of a steady rate
    #[arg(long)]
    pub burst: bool,
    /// The interval between bursts, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "burst")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
    /// How many connections send
    #[arg(long, value_name = "N", default_value_t = 32)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=4_096))]
    pub connections: u16,
    /// Per cent of uplinks that are sent a second time, on top of the rate
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=100))]
    pub repeats: u8,
    /// Per cent of readings that are overtaken by the next one of their meter
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u8).range(0..=100))]
    pub late: u8,
    /// Another number makes other households, repeats and delays
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,
}
