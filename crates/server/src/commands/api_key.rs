//! `weir api-key …`

use serde_json::{Value, json};
use weir_app::api_keys::{self, Minting};
use weir_app::{AppResult, Env, resellers};
use weir_domain::{Name, ResellerId};
use weir_store::{ApiKey, SystemTx};

use super::{administer, name};
use crate::cli::{ApiKey as Command, KeyArgs};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{output, secret, store};

const DEFAULT: &str = "default";

/// Does it.
pub async fn run(command: Command, settings: &Settings, json: bool) -> Result<(), Failure> {
    let db = store::open(settings)?;
    match command {
        Command::List { reseller } => {
            let keys = administer(&db, move |tx| {
                let reseller = resellers::find(tx, &reseller)?;
                api_keys::list(tx.scoped(reseller.id)?)
            });
            let keys = keys.await?;
            if json {
                return Ok(output::json(&keys.iter().map(describe).collect::<Vec<_>>())?);
            }
            Ok(output::lines(keys.iter().map(line))?)
        }
        Command::Create(args) => mint(&db, settings, args, Mint::Create).await,
        Command::Rotate(args) => mint(&db, settings, args, Mint::Rotate).await,
        Command::Revoke(args) => {
            let key = name("name", args.name.as_deref().unwrap_or(DEFAULT))?;
            let revoked = administer(&db, move |tx| {
                let reseller = resellers::find(tx, &args.reseller)?;
                Ok((reseller.id, api_keys::revoke(tx, reseller.id, &key)?))
            });
            let (reseller, key) = revoked.await?;
            Ok(output::json(
                &json!({ "reseller_id": reseller, "name": key.name, "revoked": true }),
            )?)
        }
    }
}

fn describe(key: &ApiKey) -> Value {
    json!({
        "id": key.id,
        "name": key.name,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
    })
}

fn line(key: &ApiKey) -> String {
    let used = key.last_used_at.map_or_else(|| "never".to_owned(), |used| used.to_string());
    format!("{}  {}  last used {used}  {}", key.id, key.created_at, key.name)
}

#[derive(Clone, Copy)]
enum Mint {
    Create,
    Rotate,
}

async fn mint(
    db: &weir_store::Db,
    settings: &Settings,
    args: KeyArgs,
    how: Mint,
) -> Result<(), Failure> {
    let secret = secret::find(db, settings).await?;
    let minting = Minting::random()?;
    let env = Env::system();
    let given = args.name.as_deref().map(|text| name("name", text)).transpose()?;
    let minted = administer(db, move |tx| {
        let reseller = resellers::find(tx, &args.reseller)?.id;
        let name = match (&given, how) {
            (Some(given), _) => given.clone(),
            (None, Mint::Rotate) => Name::stored(DEFAULT.into()),
            (None, Mint::Create) => free_name(tx, reseller)?,
        };
        let key = match how {
            Mint::Create => api_keys::create(tx, &env, &secret, reseller, &name, &minting)?,
            Mint::Rotate => api_keys::rotate(tx, &env, &secret, reseller, &name, &minting)?,
        };
        Ok((reseller, name, key))
    });
    let (reseller, name, key) = minted.await?;
    Ok(output::json(&json!({ "reseller_id": reseller, "name": name, "api_key": key.reveal() }))?)
}

/// The first name that no key of the reseller has: default, key-2, key-3, …
fn free_name(tx: &mut dyn SystemTx, reseller: ResellerId) -> AppResult<Name> {
    let keys = api_keys::list(tx.scoped(reseller)?)?;
    let taken = |name: &str| keys.iter().any(|key| key.name.as_str() == name);
    let numbered = (2..).map(|number| format!("key-{number}"));
    let mut names = std::iter::once(DEFAULT.to_owned()).chain(numbered);
    let free = names.find(|name| !taken(name)).unwrap_or_default();
    Ok(Name::stored(free))
}
