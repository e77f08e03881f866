//! `weir reseller …`

use std::time::Duration;

use serde_json::{Value, json};
use weir_app::api_keys::Minting;
use weir_app::resellers::{self, NewReseller, ResellerChange};
use weir_app::{Env, reports};
use weir_domain::{Name, Refusal, Reseller};
use weir_store::Db;

use super::{administer, name, names};
use crate::cli::Reseller as Command;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::{archive, output, secret, store};

/// How long to wait for running nodes to settle what they hold of a reseller that is to go.
const PATIENCE: Duration = Duration::from_secs(10);

/// Does it.
pub async fn run(command: Command, settings: &Settings, json: bool) -> Result<(), Failure> {
    let tiers = settings.tiers()?;
    let db = store::open(settings)?;
    match command {
        Command::Create { name: text, tier, aliases, quota, timezone } => {
            let new = NewReseller {
                name: name("name", &text)?,
                aliases: names("alias", &aliases)?,
                tier,
                monthly_quota: quota,
                timezone,
            };
            create(&db, settings, new).await
        }
        Command::List => list(&db, json).await,
        Command::Update {
            reseller,
            name: text,
            tier,
            aliases,
            remove_aliases,
            quota,
            timezone,
        } => {
            let change = ResellerChange {
                name: text.map(|text| name("name", &text)).transpose()?,
                add_aliases: names("alias", &aliases)?,
                remove_aliases: names("remove_alias", &remove_aliases)?,
                tier,
                monthly_quota: quota,
                timezone,
            };
            let changed =
                administer(&db, move |tx| resellers::update(tx, &tiers, &reseller, &change))
                    .await?;
            Ok(output::json(&describe(&changed))?)
        }
        Command::Delete { reseller } => delete(&db, settings, reseller).await,
    }
}

async fn create(db: &Db, settings: &Settings, new: NewReseller) -> Result<(), Failure> {
    let secret = secret::find(db, settings).await?;
    let minting = Minting::random()?;
    let (env, tiers) = (Env::system(), settings.tiers()?);
    let created =
        administer(db, move |tx| resellers::create(tx, &env, &secret, &tiers, &new, &minting))
            .await?;
    Ok(output::json(&json!({
        "reseller_id": created.reseller.id,
        "name": created.reseller.name,
        "slug": created.reseller.slug,
        "api_key": created.api_key.reveal(),
    }))?)
}

async fn list(db: &Db, json: bool) -> Result<(), Failure> {
    let all = administer(db, resellers::list).await?;
    if json {
        return Ok(output::json(&all.iter().map(describe).collect::<Vec<_>>())?);
    }
    let line = |reseller: &Reseller| {
        format!(
            "{}  {}  ({}, {}/month)",
            reseller.id, reseller.name, reseller.tier, reseller.monthly_quota
        )
    };
    Ok(output::lines(all.iter().map(line))?)
}

/// Closes the reseller, waits until running nodes have let go of it, and deletes it with its reports.
async fn delete(db: &Db, settings: &Settings, named: String) -> Result<(), Failure> {
    let archive = archive::open(settings)?;
    let closed = administer(db, move |tx| resellers::close(tx, &named)).await?;
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let reseller = closed.clone();
        match administer(db, move |tx| resellers::delete_closed(tx, &reseller)).await {
            Err(Failure::Refused(Refusal::ResellerPending { .. }))
                if tokio::time::Instant::now() < deadline =>
            {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            outcome => break outcome?,
        }
    }
    if let Err(error) = archive.forget(closed.id).await {
        tracing::warn!(%error, "reports of the reseller may be left in {}", reports::folder(closed.id));
    }
    Ok(output::json(&json!({ "reseller_id": closed.id, "name": closed.name, "deleted": true }))?)
}

fn describe(reseller: &Reseller) -> Value {
    json!({
        "reseller_id": reseller.id,
        "name": reseller.name,
        "slug": reseller.slug,
        "aliases": reseller.aliases.iter().map(Name::as_str).collect::<Vec<_>>(),
        "tier": reseller.tier,
        "quota": reseller.monthly_quota,
        "timezone": reseller.timezone,
        "is_closing": reseller.is_closing,
        "created_at": reseller.created_at,
    })
}
