//! Telling for whom a token speaks.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use weir_app::Env;
use weir_app::credentials::Caller;
use weir_domain::member::Member;
use weir_domain::person::Person;
use weir_domain::{ResellerId, Timestamp};
use weir_store::{Change, Db, Listener, Purpose, StoreError};

use crate::provider::Provider;
use crate::token::{Unverified, Verifier};

/// How long it is remembered where a person is a member. News of members comes by [`Listener`]; this
/// is for what news may be missed.
const REMEMBERED: Duration = Duration::from_secs(30);
/// How many people are remembered; past that, all are asked for again.
const MOST_REMEMBERED: usize = 10_000;

/// Why a token lets nobody in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// It is not a valid token, or its user belongs to no reseller.
    #[error("The bearer token is not valid, or its user belongs to no reseller.")]
    Invalid,
    /// The user belongs to several resellers and does not say for which they ask.
    #[error("The user belongs to several resellers.")]
    Several(Vec<(ResellerId, String)>),
    /// The user does not belong to the reseller that they ask for.
    #[error("The user does not belong to this reseller.")]
    Elsewhere,
    /// The issuer's keys were never seen, and it does not answer.
    #[error("The issuer of the token does not answer.")]
    Unreachable,
    /// The store is needed to tell, and is away.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The people who sign in, with the resellers that they are members of.
pub struct People {
    db: Db,
    env: Env,
    verifier: Arc<Verifier>,
    provider: Arc<Provider>,
    seen: RwLock<HashMap<Person, Seen>>,
    /// Counts news: what was read from the store before the latest is not remembered.
    news: AtomicU64,
}

/// Where a person is a member, with the moment from which on that is asked for again.
#[derive(Clone)]
struct Seen {
    callers: Arc<[Arc<Caller>]>,
    until: Timestamp,
}

impl People {
    /// People of a store, which it listens to.
    pub fn new(db: Db, env: Env, verifier: Arc<Verifier>, provider: Arc<Provider>) -> Arc<Self> {
        let (seen, news) = Default::default();
        let people = Arc::new(Self { db, env, verifier, provider, seen, news });
        people.db.listen(people.clone());
        people
    }

    /// For whom a token speaks: as a member of the reseller that is asked for, or of their only one.
    pub async fn admit(
        &self,
        token: &str,
        chosen: Option<ResellerId>,
    ) -> Result<Arc<Caller>, NotAdmitted> {
        let person = self.identify(token).await?;
        choose(&self.callers(person).await?, chosen)
    }

    /// Every reseller for which a person may ask.
    pub async fn callers(&self, person: Person) -> Result<Arc<[Arc<Caller>]>, StoreError> {
        let now = self.env.now();
        if let Some(seen) = self.recall(&person).filter(|seen| now < seen.until) {
            return Ok(seen.callers);
        }
        let news = self.news.load(Ordering::Acquire);
        let callers = self.ask(person.clone()).await?;
        self.remember(person, Seen { callers: callers.clone(), until: now.plus(REMEMBERED) }, news);
        Ok(callers)
    }

    /// Whose a token is. One of our own is worth as much as its session.
    async fn identify(&self, token: &str) -> Result<Person, NotAdmitted> {
        let verified = self.verifier.verify(token).await.map_err(|error| match error {
            Unverified::Rejected(_) => NotAdmitted::Invalid,
            Unverified::Unreachable(_) => NotAdmitted::Unreachable,
        })?;
        match verified.session {
            None => Ok(verified.person),
            Some(session) => self.provider.session(session).await?.ok_or(NotAdmitted::Invalid),
        }
    }

    async fn ask(&self, person: Person) -> Result<Arc<[Arc<Caller>]>, StoreError> {
        let identities = person.identities();
        self.db
            .system(Purpose::Authenticate, move |tx| {
                let mut callers: BTreeMap<ResellerId, Caller> = BTreeMap::new();
                for (id, member) in tx.memberships(&identities)? {
                    let tx = tx.scoped(id)?;
                    let Some(reseller) = tx.reseller()?.filter(|known| !known.is_closing) else {
                        continue;
                    };
                    // What the lookup says of a member counts only as far as the member agrees.
                    let known = |member: &Member| identities.contains(&member.identity);
                    let Some(member) = tx.member(member)?.filter(known) else { continue };
                    let caller = Caller::signed_in(reseller, member);
                    // Known there by the address and by the issuer: the role that may more counts.
                    let may_more =
                        |known: &Caller| caller.role().may_change() && !known.role().may_change();
                    if callers.get(&id).is_none_or(may_more) {
                        callers.insert(id, caller);
                    }
                }
                Ok::<_, StoreError>(callers.into_values().map(Arc::new).collect())
            })
            .await
    }

    fn recall(&self, person: &Person) -> Option<Seen> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner).get(person).cloned()
    }

    fn remember(&self, person: Person, found: Seen, news: u64) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if self.news.load(Ordering::Acquire) != news {
            return;
        }
        if seen.len() >= MOST_REMEMBERED {
            seen.clear();
        }
        seen.insert(person, found);
    }

    fn forget_all(&self) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        self.news.fetch_add(1, Ordering::AcqRel);
        seen.clear();
    }
}

/// Members may come and go with any news of a reseller, also of one that a person was no member of.
impl Listener for People {
    fn changed(&self, change: &Change) {
        if let Change::Reseller(_) = change {
            self.forget_all();
        }
    }

    fn missed(&self) {
        self.forget_all();
    }
}

/// As whom a person asks who may ask as any of these.
fn choose(callers: &[Arc<Caller>], chosen: Option<ResellerId>) -> Result<Arc<Caller>, NotAdmitted> {
    match (callers, chosen) {
        ([], _) => Err(NotAdmitted::Invalid),
        (callers, Some(chosen)) => {
            let own = callers.iter().find(|caller| caller.reseller.id == chosen);
            own.cloned().ok_or(NotAdmitted::Elsewhere)
        }
        ([only], None) => Ok(only.clone()),
        (several, None) => Err(NotAdmitted::Several(
            several
                .iter()
                .map(|caller| (caller.reseller.id, caller.reseller.name.to_string()))
                .collect(),
        )),
    }
}
