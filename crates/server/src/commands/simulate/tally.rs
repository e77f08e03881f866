//! Counting answers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::plan::Place;
use super::service::{Answer, Complaint};

/// What became of the uplinks that were sent.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many were sent, repeats included.
    pub sent: u64,
    /// How many were answered 200.
    pub acknowledged: u64,
    /// How many of these were known already.
    pub duplicates: u64,
    /// Refusals by status.
    pub refused: BTreeMap<u16, Refusals>,
    /// How many got no answer.
    pub unanswered: Unanswered,
    /// How long the acknowledged ones took.
    pub latencies: Vec<Duration>,
    /// Which readings were acknowledged, one as often as that happened.
    pub taken: Vec<Place>,
}

/// Refusals of one status.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Refusals {
    /// How many.
    pub count: u64,
    /// The code of the first.
    pub error_code: String,
    /// What the first said.
    pub message: String,
}

/// Uplinks of which nobody knows what became.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Unanswered {
    /// How many.
    pub count: u64,
    /// Why the first was not answered.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

#[derive(Debug, Default, Deserialize)]
struct Taken {
    #[serde(default)]
    duplicate: bool,
}

impl Tally {
    /// Counts an answer, or the reason why there is none.
    pub fn count(&mut self, place: Place, answer: Result<Answer, String>, latency: Duration) {
        self.sent += 1;
        match answer {
            Ok(answer) if answer.status == 200 => {
                self.acknowledged += 1;
                self.duplicates += u64::from(answer.data().is_ok_and(|it: Taken| it.duplicate));
                self.latencies.push(latency);
                self.taken.push(place);
            }
            Ok(answer) => {
                let Complaint { error_code, message, .. } = answer.complaint();
                self.refuse(answer.status, Refusals { count: 1, error_code, message });
            }
            Err(reason) => self.give_up(Unanswered { count: 1, reason }),
        }
    }

    /// What two have counted.
    pub fn add(&mut self, other: Self) {
        self.sent += other.sent;
        self.acknowledged += other.acknowledged;
        self.duplicates += other.duplicates;
        self.latencies.extend(other.latencies);
        self.taken.extend(other.taken);
        self.give_up(other.unanswered);
        for (status, refusals) in other.refused {
            self.refuse(status, refusals);
        }
    }

    fn refuse(&mut self, status: u16, more: Refusals) {
        let known = self.refused.entry(status).or_default();
        let count = known.count + more.count;
        if known.count == 0 {
            *known = more;
        }
        known.count = count;
    }

    fn give_up(&mut self, more: Unanswered) {
        if self.unanswered.count == 0 {
            self.unanswered.reason = more.reason;
        }
        self.unanswered.count += more.count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_several_connections_counted_adds_up() {
        let gone = |reason: &str| Err(reason.to_owned());
        let (mut sum, mut one, mut other) = (Tally::default(), Tally::default(), Tally::default());
        one.count((0, 0), gone("refused"), Duration::ZERO);
        other.count((1, 0), gone("reset"), Duration::ZERO);
        for (tally, message) in [(&mut one, "first"), (&mut other, "second")] {
            let refusals = Refusals { count: 2, error_code: "X".into(), message: message.into() };
            tally.refuse(429, refusals);
        }
        sum.add(one);
        sum.add(other);
        assert_eq!((sum.sent, sum.acknowledged), (2, 0));
        assert_eq!(sum.unanswered, Unanswered { count: 2, reason: "refused".into() });
        assert_eq!((sum.refused[&429].count, sum.refused[&429].message.as_str()), (4, "first"));
    }
}
