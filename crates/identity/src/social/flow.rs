//! What is remembered of a sign-in between its two halves.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use weir_app::credentials::{NONCE, Secret};
use weir_domain::Timestamp;

use super::Page;

/// The chance that a flow is made of.
pub(super) struct Chance {
    state: [u8; 32],
    nonce: [u8; 32],
    verifier: [u8; 32],
    seal: [u8; NONCE],
}

impl Chance {
    /// Draws from the system's source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut chance =
            Self { state: [0; 32], nonce: [0; 32], verifier: [0; 32], seal: [0; NONCE] };
        getrandom::fill(&mut chance.state)?;
        getrandom::fill(&mut chance.nonce)?;
        getrandom::fill(&mut chance.verifier)?;
        getrandom::fill(&mut chance.seal)?;
        Ok(chance)
    }

    /// The state, which the provider gives the browser to bring back.
    pub fn state(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.state)
    }
}

/// A sign-in that was begun.
///
/// It does not hold its state, nor its provider: they are what it is sealed for. Whoever does not bring
/// the right ones cannot open it, and no comparison ever runs along the characters of a state.
#[derive(Serialize, Deserialize)]
pub(super) struct Flow {
    /// What the ID token must hold.
    pub nonce: String,
    /// What proves to the provider that a code is brought by whoever asked for it.
    pub verifier: String,
    /// Until when it can be finished.
    pub until: Timestamp,
    /// Where to go afterwards.
    pub page: Option<Page>,
}

impl Flow {
    /// A flow that begins.
    pub fn new(chance: &Chance, page: Option<Page>, until: Timestamp) -> Self {
        let nonce = URL_SAFE_NO_PAD.encode(chance.nonce);
        let verifier = URL_SAFE_NO_PAD.encode(chance.verifier);
        Self { nonce, verifier, until, page }
    }

    /// Seals it for the browser.
    pub fn seal(&self, secret: &Secret, provider: &str, chance: &Chance) -> String {
        // Texts and a number cannot fail to serialize.
        let flow = serde_json::to_vec(self).unwrap_or_default();
        let context = context(provider, &chance.state());
        URL_SAFE_NO_PAD.encode(secret.seal_bytes(&context, &flow, chance.seal))
    }

    /// Opens what the browser kept; none where it belongs to another provider or state, or was sealed
    /// with another secret.
    pub fn open(secret: &Secret, provider: &str, state: &str, sealed: &str) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed).ok()?;
        let flow = secret.open_bytes(&context(provider, state), &sealed)?;
        serde_json::from_slice(&flow).ok()
    }
}

fn context(provider: &str, state: &str) -> String {
    format!("sign-in at {provider} with the state {state}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(byte: u8) -> Chance {
        Chance { state: [byte; 32], nonce: [2; 32], verifier: [3; 32], seal: [4; NONCE] }
    }

    #[test]
    fn a_flow_opens_for_its_state_and_provider_alone() {
        let secret = Secret::new(b"a secret that only tests share").unwrap();
        let (chance, other) = (chance(1), chance(9));
        let page = Page::parse("/devices");
        let flow = Flow::new(&chance, page.clone(), Timestamp::from_micros(7));
        let sealed = flow.seal(&secret, "google", &chance);
        let open = |secret: &Secret, provider: &str, state: &str, sealed: &str| {
            Flow::open(secret, provider, state, sealed).map(|flow| (flow.until, flow.page))
        };
        let state = chance.state();
        let found = open(&secret, "google", &state, &sealed);
        assert_eq!(found, Some((Timestamp::from_micros(7), page)));
        assert_eq!(open(&secret, "google", &other.state(), &sealed), None);
        assert_eq!(open(&secret, "google", "", &sealed), None);
        assert_eq!(open(&secret, "microsoft", &state, &sealed), None);
        let another_secret = Secret::new(b"another secret of the tests").unwrap();
        assert_eq!(open(&another_secret, "google", &state, &sealed), None);
        for damaged in ["", "?", &sealed[1..], &sealed[..sealed.len() - 4]] {
            assert_eq!(open(&secret, "google", &state, damaged), None, "{damaged}");
        }
    }

    #[test]
    fn a_verifier_has_the_length_that_providers_demand() {
        let flow = Flow::new(&chance(1), None, Timestamp::from_micros(7));
        assert_eq!(flow.verifier.len(), 43);
        let random = (Chance::random().unwrap(), Chance::random().unwrap());
        assert_ne!(random.0.state(), random.1.state());
    }
}
