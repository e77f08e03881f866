//! Creating a reseller with its first API key.

use weir_domain::billing::{self, Tiers};
use weir_domain::{Name, Refusal, Reseller, ResellerId, name, quota};
use weir_store::{Change, SystemTx};

use crate::api_keys::{self, Minting};
use crate::credentials::{ApiKeyText, Secret};
use crate::{AppResult, Env};

/// The name of a reseller's first API key.
const FIRST_KEY: &str = "default";

/// A reseller that is to be created.
#[derive(Debug, Clone)]
pub struct NewReseller {
    /// Its name.
    pub name: Name,
    /// Other names that payloads may call it by.
    pub aliases: Vec<Name>,
    /// Its tier; the first one where none is given.
    pub tier: Option<String>,
    /// How many uplinks a month may hold, where that is not the default.
    pub monthly_quota: Option<i64>,
    /// Its time zone; UTC where none is given.
    pub timezone: Option<String>,
}

/// A reseller that was created.
#[derive(Debug, Clone)]
pub struct Created {
    /// The reseller.
    pub reseller: Reseller,
    /// Its first API key.
    pub api_key: ApiKeyText,
}

/// Creates a reseller. Refused where one of its names is another's, and where tier, quota or time
/// zone make no sense.
pub fn create(
    tx: &mut dyn SystemTx,
    env: &Env,
    secret: &Secret,
    tiers: &Tiers,
    new: &NewReseller,
    minting: &Minting,
) -> AppResult<Created> {
    let slug = name::slug(new.name.as_str());
    if slug.is_empty() {
        let reason = "must contain a letter or a digit".to_owned();
        return Err(Refusal::Invalid { field: "name", reason }.into());
    }
    let now = env.now();
    let mut aliases = Vec::new();
    super::add_aliases(&mut aliases, &new.aliases);
    let reseller = Reseller {
        id: ResellerId::from_uuid(env.ids.next(now)),
        slug,
        name: new.name.clone(),
        aliases,
        tier: new.tier.clone().unwrap_or_else(|| billing::FIRST_TIER.to_owned()),
        monthly_quota: new.monthly_quota.unwrap_or(quota::DEFAULT_LIMIT),
        timezone: new.timezone.clone().unwrap_or_else(|| "UTC".to_owned()),
        is_closing: false,
        created_at: now,
    };
    super::check_tier(&reseller.tier, tiers)?;
    super::check_quota(reseller.monthly_quota)?;
    super::check_timezone(&reseller.timezone)?;
    super::claim_names(tx, &reseller.tenant_keys(), reseller.id)?;
    tx.scoped(reseller.id)?.reseller_insert(&reseller)?;
    let api_key =
        api_keys::create(tx, env, secret, reseller.id, &Name::stored(FIRST_KEY.into()), minting)?;
    tx.scoped(reseller.id)?.announce(Change::Reseller(reseller.id))?;
    Ok(Created { reseller, api_key })
}
