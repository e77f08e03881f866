//! Whether the service has what it acknowledged.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use weir_domain::{Timestamp, Volume};

use super::meter::Meter;
use super::plan::Place;
use super::service::Service;
use crate::failure::Failure;
use crate::progress;

/// When every node of a service has what one of them acknowledged.
const A_SECOND: Duration = Duration::from_secs(1);

const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// What was found in the histories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// How many acknowledged readings were looked for.
    pub checked: u64,
    /// How many of them are not there.
    pub missing: u64,
    /// How many of them are there more than once.
    pub doubled: u64,
}

/// A reading, as far as it tells it from others.
type Mark = (Timestamp, Volume);

#[derive(Debug, Deserialize)]
struct Kept {
    timestamp: Timestamp,
    consumption_m3: f64,
}

/// Looks for all acknowledged readings in the meters' histories.
pub async fn audit(
    service: &Service,
    meters: &[Meter],
    taken: &[Place],
    connections: usize,
    now: Timestamp,
) -> Result<Audit, Failure> {
    let mut wanted: BTreeMap<usize, HashSet<Mark>> = BTreeMap::new();
    for &(meter, turn) in taken {
        let reading = &meters[meter as usize].readings[turn as usize];
        wanted.entry(meter as usize).or_default().insert((reading.time, reading.volume));
    }
    let bar = progress::bar(wanted.len() as u64, "checking", "meters");
    let looking = wanted.iter().map(|(meter, marks)| look(service, &meters[*meter], marks, now));
    let found = stream::iter(looking).buffer_unordered(connections).inspect(|_| bar.inc(1));
    let sum = found.try_fold(Audit::default(), async |sum, found| Ok(sum.plus(found))).await?;
    bar.finish_and_clear();
    Ok(sum)
}

/// Looks into one meter's history, and once more where the first node asked is not up to date yet.
async fn look(
    service: &Service,
    meter: &Meter,
    wanted: &HashSet<Mark>,
    now: Timestamp,
) -> Result<Audit, Failure> {
    let oldest = wanted.iter().map(|(time, _)| time.micros()).min().unwrap_or(now.micros());
    let days = ((now.micros() - oldest) / DAY + 2).clamp(1, 365);
    let path = format!("/api/v1/devices/{}/consumption?days={days}", meter.eui);
    let found = compare(wanted, &service.get::<Vec<Kept>>(&path).await?);
    if found.missing == 0 {
        return Ok(found);
    }
    tokio::time::sleep(A_SECOND).await;
    Ok(compare(wanted, &service.get::<Vec<Kept>>(&path).await?))
}

fn compare(wanted: &HashSet<Mark>, history: &[Kept]) -> Audit {
    let mut counts: HashMap<Mark, u64> = HashMap::new();
    for kept in history {
        if let Ok(volume) = Volume::from_cubic_metres(kept.consumption_m3) {
            *counts.entry((kept.timestamp, volume)).or_default() += 1;
        }
    }
    let count = |mark: &Mark| counts.get(mark).copied().unwrap_or(0);
    Audit {
        checked: wanted.len() as u64,
        missing: wanted.iter().filter(|mark| count(mark) == 0).count() as u64,
        doubled: wanted.iter().filter(|mark| count(mark) > 1).count() as u64,
    }
}

impl Audit {
    fn plus(self, other: Self) -> Self {
        Self {
            checked: self.checked + other.checked,
            missing: self.missing + other.missing,
            doubled: self.doubled + other.doubled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_held_to_exactly_what_was_acknowledged() {
        let at = Timestamp::from_micros;
        let kept = |micros, consumption_m3| Kept { timestamp: at(micros), consumption_m3 };
        let wanted: HashSet<Mark> =
            (1..=4).map(|n| (at(n), Volume::from_millilitres(n * 1_001))).collect();
        let history = [
            kept(1, 0.001_001),
            kept(2, 0.002_002),
            kept(2, 0.002_002),
            // Another volume, and another time: two strangers.
            kept(3, 0.003_004),
            kept(5, 0.004_004),
        ];
        assert_eq!(compare(&wanted, &history), Audit { checked: 4, missing: 2, doubled: 1 });
    }
}
