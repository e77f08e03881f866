//! One reseller's account on this node.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use weir_domain::Month;

use super::book::{Book, Lease, Terms};
use super::{NoQuota, Standing};

/// How many months are kept: around midnight, requests of two are under way at once.
const MONTHS: usize = 2;

/// One reseller's account on this node.
#[derive(Default)]
pub(super) struct Account {
    state: Mutex<State>,
    /// One request asks the store at a time; the others wait for its answer.
    pub(super) asking: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    /// The months that were asked for last, the last one at the end.
    books: Vec<Book>,
    /// How often the reseller has changed.
    news: u64,
    /// How many requests are inside.
    inside: u64,
    /// How many ever came.
    entered: u64,
    /// Since when the store has been asked and has said nothing.
    asking_since: Option<Instant>,
}

/// A request that is inside: the lease does not end under it.
pub struct Visit {
    pub(super) account: Arc<Account>,
}

/// A counted request. Dropped, it counts no more.
pub struct Reservation {
    account: Arc<Account>,
    month: Month,
    kept: bool,
}

impl Account {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(self: &Arc<Self>) -> Visit {
        let mut state = self.state();
        state.inside += 1;
        state.entered += 1;
        Visit { account: self.clone() }
    }

    /// How many requests ever came, where none is inside now.
    pub(super) fn quiet(&self) -> Option<u64> {
        let state = self.state();
        (state.inside == 0).then_some(state.entered)
    }

    /// Closes the books, if it is quiet and nobody came since so many had come. Whoever comes from now
    /// on has to ask the store.
    pub(super) fn shut(&self, entered: u64) -> bool {
        let mut state = self.state();
        let quiet = state.inside == 0 && state.entered == entered;
        if quiet {
            state.books.clear();
        }
        quiet
    }

    /// Notes that the store is being asked, or has answered.
    pub(super) fn note_asking(&self, is_asking: bool) {
        self.state().asking_since = is_asking.then(Instant::now);
    }

    /// Whether the store has been asked and has said nothing for so long.
    pub(super) fn waits_longer_than(&self, patience: Duration) -> bool {
        self.state().asking_since.is_some_and(|since| since.elapsed() > patience)
    }

    pub(super) fn spend(&self, month: Month, amount: i64) -> Option<Result<Standing, NoQuota>> {
        self.state().book(month)?.spend(amount)
    }

    pub(super) fn standing(&self, month: Month) -> Option<Standing> {
        self.state().book(month).map(|book| book.standing())
    }

    /// What to ask for a lease with.
    pub(super) fn terms(&self, month: Month) -> Terms {
        let mut state = self.state();
        let news = state.news;
        state.book(month).map_or(Terms { held: 0, debt: 0, news }, |book| book.terms(news))
    }

    /// Enters a lease that was asked for on these terms. Reservations given back meanwhile stay.
    pub(super) fn credit(&self, month: Month, terms: Terms, lease: Lease) {
        let mut state = self.state();
        let outdated = state.news != terms.news;
        state.open(month, 0).credit(terms, lease, outdated);
    }

    /// Goes by what was last known to be left: all of it in a month that is new. False where nothing
    /// is known at all.
    pub(super) fn borrow(&self, month: Month) -> bool {
        let mut state = self.state();
        let Some(limit) = state.books.last().map(Book::limit) else { return false };
        state.open(month, limit).borrow();
        true
    }

    /// What was taken beyond leases, by month.
    pub(super) fn debts(&self) -> Vec<(Month, i64)> {
        let state = self.state();
        let debts = state.books.iter().map(|book| (book.month, book.debt()));
        debts.filter(|(_, debt)| *debt != 0).collect()
    }

    /// The store knows of these debts.
    pub(super) fn pay(&self, debts: &[(Month, i64)]) {
        let mut state = self.state();
        for &(month, amount) in debts {
            if let Some(book) = state.book(month) {
                book.pay(amount);
            }
        }
    }

    /// The reseller has changed.
    pub(super) fn doubt(&self) {
        let mut state = self.state();
        state.news += 1;
        state.books.iter_mut().for_each(Book::doubt);
    }
}

impl State {
    fn book(&mut self, month: Month) -> Option<&mut Book> {
        self.books.iter_mut().find(|book| book.month == month)
    }

    /// The book of a month, as the one asked for last. Where there is none, the limit is assumed.
    fn open(&mut self, month: Month, limit: i64) -> &mut Book {
        let at = self.books.iter().position(|book| book.month == month);
        let book = at.map_or_else(|| Book::assumed(month, limit), |at| self.books.remove(at));
        if self.books.len() >= MONTHS {
            self.books.remove(0);
        }
        self.books.push_mut(book)
    }
}

impl Visit {
    /// Counts one request of a month that it was spent from.
    pub(super) fn reservation(&self, month: Month) -> Reservation {
        Reservation { account: self.account.clone(), month, kept: false }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.account.state().inside -= 1;
    }
}

impl Reservation {
    /// The request stays counted.
    pub fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        if let Some(book) = self.account.state().book(self.month) {
            book.give_back(1);
        }
    }
}
