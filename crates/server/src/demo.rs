//! A demonstration: a reseller with customers, buildings, end users and two years of readings.
//!
//! It is made through the same use cases as everything else, and only its readings go straight into
//! the store. Every step looks whether it was done before, so a demonstration that was interrupted is
//! finished at the next start, and one that is complete is left alone.

mod fleet;
mod water;

use std::sync::Arc;
use std::time::Duration;

use weir_app::api_keys::{self, Minting};
use weir_app::credentials::{ApiKeyText, Keyring};
use weir_app::customers::NewCustomer;
use weir_app::devices::{self, DeviceRef, Registration};
use weir_app::end_users::NewEndUser;
use weir_app::members::{self, NewMember};
use weir_app::resellers::NewReseller;
use weir_app::{AppError, AppResult, Clock, Env, customers, end_users, resellers};
use weir_domain::billing::Tiers;
use weir_domain::member::Role;
use weir_domain::person::{Email, Identity};
use weir_domain::{
    CustomerId, DeviceId, DeviceKey, EndUserId, Name, Refusal, ResellerId, Timestamp,
};
use weir_ingest::days;
use weir_store::{Db, DeviceState, EndUserFilter, Page, Purpose, Scope, StoreResult, WriteTx};

use crate::failure::Failure;
use crate::progress;
use fleet::{Building, Meter};
use water::History;

/// When somebody moved in.
const HALF_A_YEAR: Duration = Duration::from_secs(182 * 24 * 60 * 60);

/// What the demonstration's reseller is called, and payloads call it.
pub const RESELLER: &str = "Demo Water";

/// The address of its member, which no mail ever reaches.
const MEMBER: &str = "demo@demo-water.example";

/// Whom the demonstration signs in.
pub fn member() -> Result<Email, Failure> {
    Email::parse(MEMBER).map_err(|error| Failure::Said(error.to_string()))
}

/// Makes the demonstration where it is not there yet, and returns its API key.
pub async fn prepare(
    db: &Db,
    keyring: &Keyring,
    env: &Env,
    tiers: &Arc<Tiers>,
) -> Result<ApiKeyText, Failure> {
    let key = find_or_create(db, keyring, env, tiers.clone()).await?;
    let caller = keyring.authenticate(key.reveal()).await;
    let caller = caller.map_err(|error| Failure::Said(error.to_string()))?;
    let scope = caller.scope.clone();
    let now = env.now();
    let (member, reseller, own_env) = (member()?, caller.reseller.id, env.clone());
    db.write(&scope, move |tx| admit(tx, &own_env, reseller, &member)).await?;
    let (beginning, own_scope) = (back_then(env, now.minus(water::PAST)), scope.clone());
    let furnished =
        db.write(&scope, move |tx| furnish(tx, &own_scope, &beginning, &fleet::buildings()));
    let meters = furnished.await?;
    fill(db, &scope, now, &meters).await?;
    let (half_a_year_ago, own_scope) = (back_then(env, now.minus(HALF_A_YEAR)), scope.clone());
    let moved = db.write(&scope, move |tx| move_in(tx, &own_scope, &half_a_year_ago, &meters));
    moved.await?;
    Ok(key)
}

/// Sees to it that the member may sign in and change things.
fn admit(tx: &mut dyn WriteTx, env: &Env, id: ResellerId, email: &Email) -> AppResult<()> {
    let identity = Identity::Email(email.clone());
    match members::add(tx, env, id, &NewMember { identity, role: Role::Admin }) {
        Ok(_) | Err(AppError::Refused(Refusal::MemberAlreadyExists(_))) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A clock that stands.
struct Then(Timestamp);

impl Clock for Then {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// The environment as it was at a moment: a fleet with a past was there all the time.
fn back_then(env: &Env, moment: Timestamp) -> Env {
    Env { clock: Arc::new(Then(moment)), ids: env.ids.clone() }
}

/// The API key of the demonstration's reseller.
async fn find_or_create(
    db: &Db,
    keyring: &Keyring,
    env: &Env,
    tiers: Arc<Tiers>,
) -> Result<ApiKeyText, Failure> {
    let secret = keyring.secret().clone();
    let minting = Minting::random()?;
    let env = env.clone();
    let work = move |tx: &mut dyn weir_store::SystemTx| -> AppResult<Option<ApiKeyText>> {
        match resellers::find(tx, RESELLER) {
            Ok(known) => {
                let keys = api_keys::list(tx.scoped(known.id)?)?;
                Ok(keys.iter().find_map(|key| secret.open(&key.sealed)))
            }
            Err(AppError::Refused(Refusal::ResellerNotFound(_))) => {
                let new = NewReseller {
                    name: Name::stored(RESELLER.into()),
                    aliases: Vec::new(),
                    tier: None,
                    monthly_quota: None,
                    timezone: Some("Europe/Lisbon".into()),
                };
                resellers::create(tx, &env, &secret, &tiers, &new, &minting)
                    .map(|created| Some(created.api_key))
            }
            Err(error) => Err(error),
        }
    };
    let key = db.system(Purpose::Administer, work).await?;
    key.ok_or_else(|| {
        Failure::Said(format!("{RESELLER} has no API key that the server's secret opens"))
    })
}

/// Sees to it that all customers, end users and meters of the plan exist.
fn furnish(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    buildings: &[Building],
) -> AppResult<Vec<(DeviceKey, Meter)>> {
    let mut meters = Vec::new();
    for building in buildings {
        let customer = customer(tx, env, building.customer)?;
        let mut principal: Option<DeviceId> = None;
        for meter in building.meters() {
            let (id, key) = device(tx, scope, env, customer, principal, &meter)?;
            principal = principal.or(Some(id));
            meters.push((key, meter));
        }
    }
    Ok(meters)
}

fn customer(tx: &mut dyn WriteTx, env: &Env, name: &str) -> AppResult<CustomerId> {
    let known = tx.customers_page(Some(name), Page { limit: 1, offset: 0 })?;
    if let Some(known) = known.first() {
        return Ok(known.customer.id);
    }
    let new = NewCustomer {
        name: Name::stored(name.into()),
        email: Some(format!("office@{}.example", weir_domain::name::slug(name))),
        phone: None,
        address: None,
        timezone: None,
    };
    Ok(customers::create(tx, env, &new)?.customer.id)
}

fn end_user(
    tx: &mut dyn WriteTx,
    env: &Env,
    customer: CustomerId,
    name: &str,
) -> AppResult<EndUserId> {
    let filter = EndUserFilter { customer: None, search: Some(name.to_owned()) };
    let known = tx.end_users_page(&filter, Page { limit: 1, offset: 0 })?;
    if let Some(known) = known.first() {
        return Ok(known.end_user.id);
    }
    let new = NewEndUser {
        name: Name::stored(name.into()),
        email: Some(format!("{}@home.example", weir_domain::name::slug(name))),
        customer: Some(customer),
    };
    Ok(end_users::create(tx, env, &new)?.end_user.id)
}

fn device(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    customer: CustomerId,
    principal: Option<DeviceId>,
    meter: &Meter,
) -> AppResult<(DeviceId, DeviceKey)> {
    let eui = meter.eui;
    if let Some(known) = tx.device_live_by_eui(eui)? {
        return Ok((known.id, known.key));
    }
    let registration = Registration {
        dev_eui: eui,
        name: Name::stored(meter.name.clone()),
        parent: principal,
        is_principal: principal.is_none(),
        adopt_readings: false,
    };
    let registered = devices::register(tx, scope, env, &registration)?;
    match &meter.tenant {
        Some(tenant) => {
            let end_user = end_user(tx, env, customer, tenant)?;
            devices::assign(tx, scope, env, DeviceRef::Id(registered.id), Some(end_user))?;
        }
        None => {
            devices::assign_customer(tx, scope, env, DeviceRef::Id(registered.id), customer)?;
        }
    }
    Ok((registered.id, registered.key))
}

/// Sees to it that those who moved in have their meters.
fn move_in(
    tx: &mut dyn WriteTx,
    scope: &Scope,
    env: &Env,
    meters: &[(DeviceKey, Meter)],
) -> AppResult<()> {
    for (_, meter) in meters {
        let (Some(tenant), Some(newcomer)) = (&meter.tenant, &meter.newcomer) else { continue };
        let device = tx.device_live_by_eui(meter.eui)?;
        let Some((device, customer)) = device.and_then(|it| Some((it.clone(), it.customer?)))
        else {
            continue;
        };
        if device.end_user == Some(end_user(tx, env, customer, tenant)?) {
            let newcomer = end_user(tx, env, customer, newcomer)?;
            devices::assign(tx, scope, env, DeviceRef::Id(device.id), Some(newcomer))?;
        }
    }
    Ok(())
}

/// Gives every meter that has none its two years of readings.
async fn fill(
    db: &Db,
    scope: &Scope,
    now: Timestamp,
    meters: &[(DeviceKey, Meter)],
) -> Result<(), Failure> {
    let keys: Vec<DeviceKey> = meters.iter().map(|(key, _)| *key).collect();
    let states = db.write(scope, move |tx| tx.device_states(&keys)).await?;
    let empty = |key: DeviceKey| {
        states.iter().find(|state| state.key == key && state.telemetry.message_count == 0)
    };
    let missing: Vec<(&DeviceState, &Meter)> =
        meters.iter().filter_map(|(key, meter)| Some((empty(*key)?, meter))).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let bar = progress::bar(missing.len() as u64, "two years of readings", "meters");
    for (state, meter) in missing {
        let history = water::history(meter, state.clone(), now);
        db.write(scope, move |tx| store(tx, &history)).await?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Stores a meter's past, its finished days too.
fn store(tx: &mut dyn WriteTx, history: &History) -> StoreResult<()> {
    // Held from here on: its uplinks may be settled at the same time.
    tx.device_states(&[history.state.key])?;
    tx.readings_append(&history.readings)?;
    let mut state = history.state.clone();
    days::keep_all(tx, std::slice::from_mut(&mut state))?;
    tx.device_states_store(&[state])
}
