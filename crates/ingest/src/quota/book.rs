//! One reseller's month on this node.

use std::time::{Duration, Instant};

use weir_domain::Month;
use weir_domain::quota::QuotaFacts;

use super::{NoQuota, Standing};

/// How long a node that found nothing left, or nobody to ask, goes by that before it asks again.
const ASK_AGAIN: Duration = Duration::from_millis(500);

/// What this node may spend of a month, and what it knows beyond that.
///
/// The lease in the store and the debt together are what is unspent and idle here, and what is spent
/// and not settled. So nothing is spent that the store does not know of, or will not be told before it
/// is settled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Book {
    pub(super) month: Month,
    limit: i64,
    /// May be spent without asking.
    unspent: i64,
    /// Leased, but beyond a limit that was lowered since.
    idle: i64,
    /// Taken beyond the lease while the store was away, which has yet to be told.
    debt: i64,
    /// What nobody had used or leased when the store was last asked, less what was borrowed of it.
    available: i64,
    /// The reseller has changed since, so the limit may be another.
    outdated: bool,
    /// Until when it is believed all the same, and "nothing left" is.
    believed_until: Option<Instant>,
}

/// What a node has when it asks for a lease.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    /// Leased and not spent.
    pub(super) held: i64,
    /// Taken beyond the lease.
    pub(super) debt: i64,
    /// How often the reseller had changed.
    pub(super) news: u64,
}

/// What it is given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lease {
    limit: i64,
    /// More to hold.
    grant: i64,
    /// How much of what is held lies beyond the limit.
    idle: i64,
    /// What is left for others.
    available: i64,
}

impl Lease {
    /// A lease on part of what is left. Who still holds something gets nothing more. What a lowered
    /// limit does not cover stays leased, for the limit may be raised again, and is not spent.
    pub(super) fn on(mut facts: QuotaFacts, terms: Terms) -> Self {
        facts.leased += terms.debt;
        let idle = (facts.used + facts.leased - facts.limit).clamp(0, terms.held);
        let grant = if terms.held > idle { 0 } else { facts.grant() };
        Self { limit: facts.limit, grant, idle, available: facts.available() - grant }
    }

    /// By how much the lease in the store grows.
    pub(super) fn amount(&self, terms: Terms) -> i64 {
        self.grant + terms.debt
    }
}

impl Book {
    /// A month of which nothing but the limit is known: all of it is left.
    pub(super) fn assumed(month: Month, limit: i64) -> Self {
        Self {
            month,
            limit,
            unspent: 0,
            idle: 0,
            debt: 0,
            available: limit,
            outdated: true,
            believed_until: None,
        }
    }

    pub(super) fn limit(&self) -> i64 {
        self.limit
    }

    pub(super) fn debt(&self) -> i64 {
        self.debt
    }

    pub(super) fn standing(&self) -> Standing {
        Standing { limit: self.limit, remaining: self.unspent + self.available, month: self.month }
    }

    pub(super) fn terms(&self, news: u64) -> Terms {
        Terms { held: self.unspent + self.idle, debt: self.debt, news }
    }

    /// Spends, or says that there is nothing left; none where the store has to be asked.
    pub(super) fn spend(&mut self, amount: i64) -> Option<Result<Standing, NoQuota>> {
        let believed = self.believed_until.is_some_and(|until| Instant::now() < until);
        if self.outdated && !believed {
            return None;
        }
        if self.unspent > 0 {
            self.unspent -= amount;
            return Some(Ok(self.standing()));
        }
        (believed && self.available == 0).then(|| Err(NoQuota::UsedUp(self.standing())))
    }

    pub(super) fn give_back(&mut self, amount: i64) {
        self.unspent += amount;
    }

    /// Enters a lease that was asked for on these terms.
    pub(super) fn credit(&mut self, terms: Terms, lease: Lease, outdated: bool) {
        self.unspent += self.idle + lease.grant - lease.idle;
        self.idle = lease.idle;
        self.debt -= terms.debt;
        self.limit = lease.limit;
        self.available = lease.available;
        self.outdated = outdated;
        self.believed_until = (!outdated && self.unspent <= 0).then(|| Instant::now() + ASK_AGAIN);
    }

    /// Takes one of what was last known to be left: the store is away.
    pub(super) fn borrow(&mut self) {
        if self.unspent <= 0 && self.available > 0 {
            self.available -= 1;
            self.unspent += 1;
            self.debt += 1;
        }
        self.believed_until = Some(Instant::now() + ASK_AGAIN);
    }

    /// The store was told of some of the debt.
    pub(super) fn pay(&mut self, amount: i64) {
        self.debt -= amount;
    }

    /// The limit may have changed.
    pub(super) fn doubt(&mut self) {
        self.outdated = true;
        self.believed_until = None;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone, Copy)]
    enum Event {
        Spent,
        GivenBack,
        Asked { store_is_away: bool },
        Settled,
        Limited(i64),
    }

    fn events() -> impl Strategy<Value = Event> {
        prop_oneof![
            4 => Just(Event::Spent),
            1 => Just(Event::GivenBack),
            3 => any::<bool>().prop_map(|store_is_away| Event::Asked { store_is_away }),
            1 => Just(Event::Settled),
            1 => (0..60_i64).prop_map(Event::Limited),
        ]
    }

    proptest! {
        #[test]
        fn the_store_knows_of_all_that_is_held_and_no_limit_is_passed(
            first in 0..60_i64,
            events in proptest::collection::vec(events(), 1..200),
        ) {
            let month = Month::from_number(0);
            let mut facts = QuotaFacts { limit: first, used: 0, leased: 0 };
            let mut book = Book::assumed(month, first);
            let (mut spent, mut highest) = (0, first);
            for event in events {
                match event {
                    Event::Spent => {
                        spent += i64::from(matches!(book.spend(1), Some(Ok(_))));
                    }
                    Event::GivenBack if spent > 0 => {
                        spent -= 1;
                        book.give_back(1);
                    }
                    Event::GivenBack => {}
                    Event::Asked { store_is_away: true } => book.borrow(),
                    Event::Asked { store_is_away: false } => {
                        let terms = book.terms(0);
                        let lease = Lease::on(facts, terms);
                        facts.leased += lease.amount(terms);
                        book.credit(terms, lease, false);
                    }
                    Event::Settled => {
                        facts.leased += book.debt() - spent;
                        facts.used += spent;
                        book.pay(book.debt());
                        spent = 0;
                    }
                    Event::Limited(limit) => {
                        facts.limit = limit;
                        highest = highest.max(limit);
                        book.doubt();
                    }
                }
                prop_assert!(facts.leased >= 0 && book.unspent >= 0 && book.idle >= 0);
                prop_assert_eq!(facts.leased + book.debt, book.unspent + book.idle + spent);
                prop_assert!(facts.used + spent <= highest);
            }
        }
    }
}
