//! `GET /`: how the fleet is.

mod cards;
mod consumption;

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use weir_app::{AppResult, Env, devices, fleet, resellers};
use weir_domain::Calendar;
use weir_domain::billing::{Bill, Tiers};
use weir_store::{DeviceStats, FleetDay, ReadTx};

use crate::Dashboard;
use crate::frame::Frame;
use crate::problem::Problem;
use crate::shown::Shown;
use crate::text::overview as text;
use crate::visitor::Visitor;
use cards::{BillCard, CountCard, MeterCard, QuotaCard};
use consumption::Consumption;

/// How many meters of each kind to look at are shown.
const MOST: u32 = 5;

/// What is found out for it, in one transaction.
struct Facts {
    stats: DeviceStats,
    by_status: fleet::ByStatus,
    days: Vec<FleetDay>,
    attention: fleet::Attention,
    usage: resellers::Usage,
    bill: Option<Bill>,
}

impl Facts {
    fn gather(
        tx: &mut dyn ReadTx,
        env: &Env,
        calendar: &Calendar,
        tiers: &Tiers,
    ) -> AppResult<Self> {
        let now = env.now();
        Ok(Self {
            stats: devices::stats(tx, env, &[])?,
            by_status: fleet::by_status(tx, now)?,
            days: fleet::last_days(tx, calendar, now)?,
            attention: fleet::attention(tx, calendar, now, MOST)?,
            usage: resellers::usage(tx, env)?,
            bill: resellers::bill(tx, tiers)?,
        })
    }
}

/// The page.
#[derive(Template)]
#[template(path = "overview/page.html")]
pub struct OverviewPage {
    frame: Frame,
    is_empty: bool,
    counts: [CountCard; 7],
    consumption: Consumption,
    attention: Vec<MeterCard>,
    quota: QuotaCard,
    bill: Option<BillCard>,
}

/// Shows it.
pub async fn page(
    visitor: Visitor,
    State(dashboard): State<Arc<Dashboard>>,
) -> Result<Shown<OverviewPage>, Problem> {
    let (env, tiers) = (dashboard.env.clone(), dashboard.tiers.clone());
    let calendar = visitor.calendar.clone();
    let facts = dashboard
        .db
        .read(&visitor.caller.scope, move |tx| Facts::gather(tx, &env, &calendar, &tiers));
    let facts = facts.await?;
    Ok(Shown(OverviewPage {
        frame: visitor.frame(),
        is_empty: facts.stats.total == 0,
        counts: cards::counts(&facts.stats, &facts.by_status),
        consumption: Consumption::of(&facts.days),
        attention: cards::attention(&facts.attention, &visitor.calendar),
        quota: QuotaCard::of(facts.usage),
        bill: facts.bill.map(BillCard::of),
    }))
}
