//! `weir simulate`: a fleet of meters that pushes uplinks, and an account of how they were taken.
//!
//! It speaks HTTP alone, since the service may be anywhere.
//!
//! | looking for | module |
//! |---|---|
//! | asking the service | `service` |
//! | which meters there are, and registering them | `fleet` |
//! | what they read, and the bodies that carry it | `meter`, `uplink` |
//! | when what is sent, and sending it | `schedule`, `plan`, `load` |
//! | counting, and what is said in the end | `tally`, `summary` |
//! | whether the service has what it acknowledged | `audit` |

mod audit;
mod fleet;
mod load;
mod meter;
mod plan;
mod schedule;
mod service;
mod summary;
mod tally;
mod uplink;

use std::sync::Arc;
use std::time::Duration;

use weir_app::Env;

use crate::cli::Simulate;
use crate::failure::Failure;
use crate::output;
use audit::Audit;
use fleet::Block;
use meter::Meter;
use plan::Plan;
use schedule::{Pace, Schedule};
use service::Service;
use summary::Summary;

/// How many uplinks a run may have: all of its readings are made before it begins.
const MOST: u64 = 20_000_000;

/// Does it.
pub async fn run(args: Simulate, json: bool) -> Result<(), Failure> {
    let schedule = schedule(&args)?;
    let connections = usize::from(args.connections);
    let service = Arc::new(Service::at(&args.url, &args.api_key, connections)?);
    let tenant = match args.tenant.clone() {
        Some(tenant) => tenant,
        None => service.tenant().await?,
    };
    let block = Block::of(&tenant);
    let fleet = fleet::muster(&service, block, args.devices as usize, connections).await?;
    let env = Env::system();
    let now = env.now();
    let meters = fleet.shown.into_iter().enumerate().map(|(number, shown)| {
        Meter::new((number, block.eui(number)), args.seed, shown, schedule.turns(number), now)
            .delayed(args.late)
    });
    let meters: Vec<Meter> = meters.collect();
    let plan = Arc::new(Plan { tenant, meters, schedule, repeats: args.repeats, seed: args.seed });
    let (tally, took) = load::send(&service, &plan, connections).await?;
    let audited = tokio::select! {
        audited = audit::audit(&service, &plan.meters, &tally.taken, connections, env.now()) => {
            Some(audited?)
        }
        _ = tokio::signal::ctrl_c() => None,
    };
    let summary = Summary::of(tally, took, fleet.registered, plan.meters.len(), audited);
    if json {
        output::json(&summary)?;
    } else {
        output::lines(summary.lines())?;
    }
    judge(summary.acknowledged, audited)
}

fn schedule(args: &Simulate) -> Result<Schedule, Failure> {
    let pace = match args.rate {
        Some(rate) if rate > 0.0 && rate <= 100_000.0 => Pace::Steady { per_second: rate },
        Some(_) => {
            return Err(Failure::Said("--rate must be above 0 and at most 100000.".into()));
        }
        None => Pace::Bursts { every: Duration::from_secs(args.every) },
    };
    let length = Duration::from_secs(args.seconds);
    let schedule = Schedule { pace, meters: args.devices as usize, length };
    match schedule.total() {
        0 => Err(Failure::Said("At this rate nothing is sent in that time.".into())),
        total if total > MOST => {
            Err(Failure::Said(format!("These are {total} uplinks; a run has at most {MOST}.")))
        }
        _ => Ok(schedule),
    }
}

/// Whether it went well: something was acknowledged, and all of that is there, once.
fn judge(acknowledged: u64, audited: Option<Audit>) -> Result<(), Failure> {
    let complaint = match audited {
        _ if acknowledged == 0 => "No uplink was acknowledged.".to_owned(),
        None => "Whether the history holds what was acknowledged was not checked.".to_owned(),
        Some(Audit { missing: 0, doubled: 0, .. }) => return Ok(()),
        Some(Audit { missing, doubled, .. }) => format!(
            "Of the acknowledged readings, the history misses {missing} and holds {doubled} more than once."
        ),
    };
    Err(Failure::Said(complaint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_complete_history_is_a_success() {
        let audit = |missing, doubled| Some(Audit { checked: 9, missing, doubled });
        assert!(judge(9, audit(0, 0)).is_ok());
        for (acknowledged, audited) in
            [(0, audit(0, 0)), (9, audit(1, 0)), (9, audit(0, 1)), (9, None)]
        {
            assert!(judge(acknowledged, audited).is_err(), "{acknowledged} {audited:?}");
        }
    }
}
