//! Where links are asked for, and what comes of it behind the answer.

use tokio::sync::mpsc;
use url::form_urlencoded;
use weir_app::credentials::Secret;
use weir_app::sign_in::{self, RandomToken};
use weir_domain::person::Email;
use weir_domain::{Name, Timestamp};
use weir_store::{Db, Purpose};
use zeroize::Zeroizing;

use super::{Busy, FOLLOW_SIGN_UP, NotSignedIn, PublicUrl};
use crate::mail::{Letter, Postbox};

/// How many requests may wait. Each takes no longer than the store does.
const QUEUE: usize = 1_024;

/// The path that links lead to.
const FOLLOW: &str = "/auth/magic-link/follow";

/// Somebody asks for a link.
pub(super) struct LinkRequest {
    pub(super) email: Email,
    pub(super) browser: RandomToken,
    /// When. How long it waits is nothing that links and limits should depend on.
    pub(super) asked_at: Timestamp,
    /// What they sign up, if that is what they want.
    pub(super) organisation: Option<Name>,
}

/// Takes requests, and sees to them one after another.
pub(super) struct LinkDesk(mpsc::Sender<LinkRequest>);

struct Clerk {
    db: Db,
    secret: Secret,
    url: PublicUrl,
    postbox: Postbox,
}

impl LinkDesk {
    /// Sees to requests in a task that ends with this value.
    pub(super) fn open(db: Db, secret: Secret, url: PublicUrl, postbox: Postbox) -> Self {
        let (desk, mut requests) = mpsc::channel(QUEUE);
        let clerk = Clerk { db, secret, url, postbox };
        tokio::spawn(async move {
            while let Some(request) = requests.recv().await {
                if let Err(error) = clerk.see_to(request).await {
                    tracing::warn!(%error, "a sign-in link could not be made");
                }
            }
        });
        Self(desk)
    }

    /// Takes a request. It never waits, and is refused without a look at who asks.
    pub(super) fn take(&self, request: LinkRequest) -> Result<(), Busy> {
        self.0.try_send(request).map_err(|_| Busy)
    }
}

impl Clerk {
    async fn see_to(&self, request: LinkRequest) -> Result<(), NotSignedIn> {
        let LinkRequest { email, browser, asked_at, organisation } = request;
        let (secret, link) = (self.secret.clone(), RandomToken::random()?);
        let (asked, made, signs_up) = (email.clone(), link.clone(), organisation.is_some());
        let keep = self.db.system(Purpose::SignIn, move |tx| match signs_up {
            true => sign_in::keep_link(tx, &secret, asked_at, &asked, &browser, &made),
            false => sign_in::request_link(tx, &secret, asked_at, &asked, &browser, &made),
        });
        if keep.await? {
            let link = match organisation {
                Some(name) => to_sign_up(&self.url, &link, &name),
                None => to_follow(&self.url, &link),
            };
            self.postbox.post(Letter::new(email, link));
        }
        Ok(())
    }
}

/// The address by which a link signs in.
pub(super) fn to_follow(url: &PublicUrl, link: &RandomToken) -> Zeroizing<String> {
    let address = Zeroizing::new(format!("{FOLLOW}?token={}", *link.reveal()));
    Zeroizing::new(url.at(&address))
}

/// The address by which a link signs up. The name is no secret; whoever proves the address chooses it.
fn to_sign_up(url: &PublicUrl, link: &RandomToken, name: &Name) -> Zeroizing<String> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("token", &link.reveal()).append_pair("name", name.as_str());
    let address = Zeroizing::new(format!("{FOLLOW_SIGN_UP}?{}", query.finish()));
    Zeroizing::new(url.at(&address))
}
