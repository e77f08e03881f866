//! Signing up, where the operator allows it.

use std::sync::Arc;

use weir_app::api_keys::Minting;
use weir_app::resellers::NewReseller;
use weir_app::sign_in::{self, RandomToken, SignUp};
use weir_domain::Name;
use weir_domain::billing::Tiers;
use weir_domain::person::Email;

use super::link_desk::LinkRequest;
use super::{Busy, NotSignedIn, Provider, Tokens};

/// Where links lead to that sign up.
pub const FOLLOW_SIGN_UP: &str = "/auth/sign-up/follow";

impl Provider {
    /// Has a link sent to an address, whoever's it is, by which they sign up that organisation in that
    /// browser.
    pub fn request_sign_up(
        &self,
        email: Email,
        browser: RandomToken,
        organisation: Name,
    ) -> Result<(), Busy> {
        let (asked_at, organisation) = (self.env.now(), Some(organisation));
        self.desk.take(LinkRequest { email, browser, asked_at, organisation })
    }

    /// Signs up by a link, in the browser that asked for it.
    pub async fn sign_up(
        &self,
        link: &str,
        browser: &str,
        reseller: NewReseller,
        tiers: Arc<Tiers>,
    ) -> Result<Tokens, NotSignedIn> {
        let tokens = RandomToken::parse(link).zip(RandomToken::parse(browser));
        let (link, browser) = tokens.ok_or(NotSignedIn::Refused)?;
        let new = SignUp { link, browser, reseller, minting: Minting::random()? };
        let (env, secret) = (self.env.clone(), self.secret.clone());
        self.grant(move |tx, refresh| sign_in::sign_up(tx, &env, &secret, &tiers, &new, refresh))
            .await
    }
}
