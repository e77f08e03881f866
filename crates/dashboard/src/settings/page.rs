//! `GET /settings`

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use weir_app::resellers::{self, Usage};
use weir_app::{AppResult, Env, api_keys, members};
use weir_domain::billing::{Bill, Tiers};
use weir_domain::member::Member;
use weir_domain::{Month, Refusal, Reseller};
use weir_store::{ApiKey, ReadTx};

use super::entry::Entry;
use super::webhook::{self, Webhook};
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::settings as text;
use crate::visitor::Visitor;
use crate::{Dashboard, assets, format, text as texts};

/// The page.
#[derive(Template)]
#[template(path = "settings/page.html")]
pub struct SettingsPage {
    frame: Frame,
    entry: Entry,
    webhook: Webhook,
    keys: Vec<KeyRow>,
    members: Vec<MemberRow>,
    /// The names that come of the reseller's own, which it cannot do without.
    own_names: Vec<String>,
    aliases: Vec<String>,
    timezone: String,
    bill: Option<BillShown>,
    quota: QuotaShown,
}

struct KeyRow {
    name: String,
    created: String,
}

struct MemberRow {
    id: String,
    who: String,
    role: &'static str,
    since: String,
    is_visitor: bool,
}

struct BillShown {
    tier: String,
    active: String,
    included: String,
    cost: String,
}

struct QuotaShown {
    used: i64,
    limit: i64,
    told: String,
    resets: String,
}

/// What is loaded for it.
struct Loaded {
    reseller: Reseller,
    keys: Vec<ApiKey>,
    members: Vec<Member>,
    bill: Option<Bill>,
    usage: Usage,
}

/// Shows it.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
) -> Result<Shown<SettingsPage>, Problem> {
    show(&dashboard, &visitor, Entry::default()).await
}

/// The page with something in its fields.
pub(super) async fn show(
    dashboard: &Dashboard,
    visitor: &Visitor,
    entry: Entry,
) -> Result<Shown<SettingsPage>, Problem> {
    let (scope, tiers, env) =
        (&visitor.caller.scope, dashboard.tiers.clone(), dashboard.env.clone());
    let loaded = dashboard.db.read(scope, move |tx| load(tx, &tiers, &env)).await?;
    let key = entry.revealed.as_ref().map_or(text::webhook::YOUR_KEY, |it| it.key.as_str());
    let Loaded { reseller, keys, members, bill, usage } = loaded;
    let day = |at| format::day(visitor.calendar.day_of(at));
    let key_row = |key: ApiKey| KeyRow { name: key.name.to_string(), created: day(key.created_at) };
    let own = visitor.caller.member.as_ref().map(|member| member.id);
    let member_row = |member: Member| MemberRow {
        id: member.id.to_string(),
        who: member.identity.to_string(),
        role: member.role.as_str(),
        since: day(member.created_at),
        is_visitor: Some(member.id) == own,
    };
    Ok(Shown(SettingsPage {
        frame: visitor.frame(),
        webhook: Webhook::at(dashboard.sign_in.url(), key),
        keys: keys.into_iter().map(key_row).collect(),
        members: members.into_iter().map(member_row).collect(),
        own_names: own_names(&reseller),
        aliases: reseller.aliases.iter().map(ToString::to_string).collect(),
        timezone: entry.timezone.clone().unwrap_or(reseller.timezone),
        bill: bill.map(BillShown::of),
        quota: QuotaShown::of(usage, Month::of(dashboard.env.now())),
        entry,
    }))
}

fn load(tx: &mut dyn ReadTx, tiers: &Tiers, env: &Env) -> AppResult<Loaded> {
    let gone = || Refusal::ResellerNotFound(String::new());
    Ok(Loaded {
        reseller: tx.reseller()?.ok_or_else(gone)?,
        keys: api_keys::list(tx)?,
        members: members::list(tx)?,
        bill: resellers::bill(tx, tiers)?,
        usage: resellers::usage(tx, env)?,
    })
}

/// The name, and the slug where that is another word.
fn own_names(reseller: &Reseller) -> Vec<String> {
    let mut names = vec![reseller.name.to_string(), reseller.slug.clone()];
    names.dedup();
    names
}

impl BillShown {
    fn of(bill: Bill) -> Self {
        Self {
            active: format::number(bill.active_devices),
            included: format::number(bill.included_devices),
            cost: format!("{:.2} {}", bill.total_cost, bill.currency),
            tier: bill.tier,
        }
    }
}

impl QuotaShown {
    fn of(Usage { limit, used }: Usage, month: Month) -> Self {
        let told = text::plan::used(&format::number(used), &format::number(limit));
        let resets = format::day(weir_domain::Calendar::UTC.day_of(month.end()));
        Self { used, limit, told, resets }
    }
}
