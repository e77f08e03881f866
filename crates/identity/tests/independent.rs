//! Tokens of a provider of independent make, sent as bearer tokens.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

use std::sync::Arc;

use weir_app::{Clock, SystemClock};
use weir_identity::issuer::{Audience, Issuer, IssuerSettings};
use weir_identity::token::{Unverified, Verifier};
use weir_testkit::oidc::{CLIENT, CLIENT_ES256, Provider};

fn verifier(provider: &Provider, audience: &str) -> Verifier {
    let settings = IssuerSettings {
        issuer: Some(provider.issuer().to_owned()),
        audience: Some(Audience::One(audience.to_owned())),
        ..Default::default()
    };
    let issuer = Issuer::new("test", &settings).unwrap();
    Verifier::new([issuer], Arc::new(SystemClock)).unwrap()
}

#[tokio::test]
async fn a_token_of_either_algorithm_is_verified_before_and_after_its_keys_change() {
    let mut provider = Provider::start("https://app.example/back").await;
    for client in [CLIENT, CLIENT_ES256] {
        let verifier = verifier(&provider, client);
        let mut tokens = vec![provider.id_token(client, "ada").await];
        verifier.verify(&tokens[0]).await.unwrap();
        provider.rotate_keys().await;
        tokens.push(provider.id_token(client, "ada").await);
        let verified = verifier.verify(&tokens[1]).await.unwrap();
        assert_eq!(verified.person.email.unwrap().as_str(), "ada@example.org");
        assert_eq!(verified.person.subject.unwrap().subject(), "ada");
        assert!(verified.session.is_none());
        assert!(verified.expires_at > SystemClock.now());
        // The provider took the old keys back, and what they had signed.
        let rejected = verifier.verify(&tokens[0]).await;
        assert!(matches!(rejected, Err(Unverified::Rejected(_))), "{rejected:?}");
    }
}

#[tokio::test]
async fn a_token_for_someone_else_and_an_address_that_was_not_verified_are_worth_nothing() {
    let provider = Provider::start("https://app.example/back").await;
    let verifier = verifier(&provider, CLIENT);
    let token = provider.id_token(CLIENT_ES256, "ada").await;
    let rejected = verifier.verify(&token).await;
    assert!(matches!(rejected, Err(Unverified::Rejected(_))), "{rejected:?}");
    let person = verifier.verify(&provider.id_token(CLIENT, "mallory").await).await.unwrap().person;
    assert_eq!((person.email, person.subject.unwrap().subject()), (None, "mallory"));
}
