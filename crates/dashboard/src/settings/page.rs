//! `GET /settings`

use std::sync::Arc;

use askama::Template;
use axum::extract::{RawQuery, State};
use weir_app::resellers::{self, Usage};
use weir_app::{AppResult, Env, api_keys, members};
use weir_domain::billing::{Bill, Tiers};
use weir_domain::member::{Member, Role};
use weir_domain::{Month, Refusal, Reseller};
use weir_store::{ApiKey, ReadTx};

use super::entry::Entry;
use super::webhook::{self, Webhook};
use crate::forms::Fields;
use crate::frame::Frame;
use crate::part::Part;
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
    keys: Part<KeyRow>,
    members: Part<MemberRow>,
    /// The names that come of the reseller's own, which it cannot do without.
    own_names: Vec<String>,
    aliases: Part<String>,
    timezone: String,
    bill: Option<BillShown>,
    quota: QuotaShown,
}

struct KeyRow {
    name: String,
    created: String,
    used: String,
}

struct MemberRow {
    id: String,
    who: String,
    role: &'static str,
    since: String,
    is_visitor: bool,
    is_last_admin: bool,
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
    RawQuery(query): RawQuery,
) -> Result<Shown<SettingsPage>, Problem> {
    let query = Fields::parse(query.unwrap_or_default().as_bytes());
    show(&dashboard, &visitor, Entry::default(), &query).await
}

/// The page with something in its fields, and what a query asks for of its lists.
pub(super) async fn show(
    dashboard: &Dashboard,
    visitor: &Visitor,
    entry: Entry,
    query: &Fields,
) -> Result<Shown<SettingsPage>, Problem> {
    let (scope, tiers, env) =
        (&visitor.caller.scope, dashboard.tiers.clone(), dashboard.env.clone());
    let loaded = dashboard.db.read(scope, move |tx| load(tx, &tiers, &env)).await?;
    let key = entry.revealed.as_ref().map_or(text::webhook::YOUR_KEY, |it| it.key.as_str());
    let Loaded { reseller, keys, members, bill, usage } = loaded;
    let admins = members.iter().filter(|member| member.role == Role::Admin).count();
    Ok(Shown(SettingsPage {
        frame: visitor.frame(),
        webhook: Webhook::at(dashboard.sign_in.url(), key),
        keys: part("keys", query, keys, |key| KeyRow::of(visitor, &key)),
        members: part("members", query, members, |it| MemberRow::of(visitor, admins, &it)),
        own_names: own_names(&reseller),
        aliases: part("names", query, reseller.aliases, |alias| alias.to_string()),
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

impl KeyRow {
    fn of(visitor: &Visitor, key: &ApiKey) -> Self {
        let used = key.last_used_at.map(|at| format::moment(&visitor.calendar, at));
        Self {
            name: key.name.to_string(),
            created: format::day(visitor.calendar.day_of(key.created_at)),
            used: used
                .map_or_else(|| text::keys::NEVER_USED.to_owned(), |at| text::keys::used(&at)),
        }
    }
}

impl MemberRow {
    fn of(visitor: &Visitor, admins: usize, member: &Member) -> Self {
        let own = visitor.caller.member.as_ref().map(|member| member.id);
        Self {
            id: member.id.to_string(),
            who: member.identity.to_string(),
            role: member.role.as_str(),
            since: format::day(visitor.calendar.day_of(member.created_at)),
            is_visitor: Some(member.id) == own,
            is_last_admin: member.role == Role::Admin && admins == 1,
        }
    }
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

fn part<A, T>(name: &str, query: &Fields, all: Vec<A>, row: impl FnMut(A) -> T) -> Part<T> {
    Part::of(super::PATH, &[], name, query, all.into_iter(), row)
}
