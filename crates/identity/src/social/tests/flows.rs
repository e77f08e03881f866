//! Against a real provider of independent make.

use std::time::Duration;

use weir_testkit::oidc::{Browser, CLIENT_ES256, ClientAuth, Provider};

use super::super::flow::{Chance, Flow};
use super::super::{FLOW_LIFETIME, Page, SocialError};
use super::support::*;
use crate::issuer::{Hidden, IssuerSettings};

fn refused<T>(outcome: Result<T, SocialError>) -> Option<SocialError> {
    outcome.err()
}

#[tokio::test]
async fn someone_signs_in_and_is_known_by_address_and_subject() {
    let (provider, world) = lonely_world().await;
    let page = Page::parse("/devices");
    let started = world.social.start("test", page.clone()).await.unwrap();
    let back = Browser::new().sign_in(started.location.as_str(), "ada").await;
    let finished = world.finish(&started.flow, &answer(&back)).await.unwrap();
    assert_eq!(finished.page, page);
    let (email, subject) = (finished.person.email.unwrap(), finished.person.subject.unwrap());
    assert_eq!(email.as_str(), "ada@example.org");
    assert_eq!((subject.issuer(), subject.subject()), (provider.issuer(), "ada"));
}

#[tokio::test]
async fn a_client_may_have_to_prove_itself_in_the_form_and_to_read_other_signatures() {
    let provider = Provider::start_with(CALLBACK, ClientAuth::Post).await;
    let client_id = Some(CLIENT_ES256.to_owned());
    let world = World::with(&IssuerSettings { client_id, ..settings(provider.issuer()) });
    let (started, answer) = world.visit("grace").await;
    let finished = world.finish(&started.flow, &answer).await.unwrap();
    assert_eq!(finished.person.email.unwrap().as_str(), "grace@example.org");
}

#[tokio::test]
async fn an_address_that_was_not_verified_is_nobodys() {
    let world = world().await;
    for name in ["mallory", "nameless"] {
        let (started, answer) = world.visit(name).await;
        let person = world.finish(&started.flow, &answer).await.unwrap().person;
        assert_eq!((person.email, person.subject.unwrap().subject()), (None, name));
    }
}

#[tokio::test]
async fn only_the_browser_that_began_can_finish_and_only_what_it_began() {
    let world = world().await;
    let (mine, my_answer) = world.visit("ada").await;
    let (yours, your_answer) = world.visit("grace").await;
    let not_here = Some(SocialError::NotBegunHere);

    // Another browser: none, or its own flow.
    assert_eq!(refused(world.social.finish("test", None, &my_answer).await), not_here);
    assert_eq!(refused(world.finish(&yours.flow, &my_answer).await), not_here);
    // A state that was made up.
    for state in ["", "made up", &format!("{} ", my_answer.state)] {
        let forged = my_answer.clone().with_state(state);
        assert_eq!(refused(world.finish(&mine.flow, &forged).await), not_here, "{state:?}");
    }
    // A code that was smuggled into a flow of one's own: the provider wants the other verifier. That
    // spoils the code.
    let smuggled = your_answer.clone().with_state(&my_answer.state);
    let outcome = world.finish(&mine.flow, &smuggled).await;
    assert_eq!(refused(outcome), Some(SocialError::NotVouchedFor));
    // A provider that is none.
    let outcome = world.social.finish("other", Some(&mine.flow), &my_answer).await;
    assert_eq!(refused(outcome), Some(SocialError::UnknownProvider));
    assert_eq!(
        refused(world.social.start("other", None).await),
        Some(SocialError::UnknownProvider)
    );

    // None of it took anything from whoever it belongs to; and it can be used once.
    assert!(world.finish(&mine.flow, &my_answer).await.is_ok());
    let outcome = world.finish(&mine.flow, &my_answer).await;
    assert_eq!(refused(outcome), Some(SocialError::NotVouchedFor));
}

#[tokio::test]
async fn a_flow_ends() {
    let world = world().await;
    let (started, answer) = world.visit("ada").await;
    world.clock.advance(FLOW_LIFETIME);
    let outcome = world.finish(&started.flow, &answer).await;
    assert_eq!(refused(outcome), Some(SocialError::NotBegunHere));
}

/// The provider checks the verifier, and we the nonce: a token that was made for another sign-in.
#[tokio::test]
async fn a_token_of_another_sign_in_is_refused() {
    let world = world().await;
    for (is_changed, expected) in [(false, None), (true, Some(SocialError::NotVouchedFor))] {
        let (started, answer) = world.visit("ada").await;
        let mut flow = Flow::open(&secret(), "test", &answer.state, &started.flow).unwrap();
        if is_changed {
            flow.nonce.replace_range(..1, if flow.nonce.starts_with('A') { "B" } else { "A" });
        }
        let chance = Chance::random().unwrap();
        let answer = answer.with_state(&chance.state());
        let sealed = flow.seal(&secret(), "test", &chance);
        assert_eq!(refused(world.finish(&sealed, &answer).await), expected);
    }
}

#[tokio::test]
async fn whoever_refuses_at_the_provider_is_not_signed_in() {
    let world = world().await;
    let started = world.start().await;
    let back = Browser::new().refuse(started.location.as_str()).await;
    let outcome = world.finish(&started.flow, &answer(&back)).await;
    assert_eq!(refused(outcome), Some(SocialError::Declined));
}

#[tokio::test]
async fn an_answer_of_another_provider_is_refused_before_its_code_is_used() {
    let world = world().await;
    let (started, mut answer) = world.visit("ada").await;
    let issuer = answer.issuer.replace("http://127.0.0.1:1".to_owned());
    let outcome = world.finish(&started.flow, &answer).await;
    assert_eq!(refused(outcome), Some(SocialError::NotVouchedFor));
    answer.issuer = issuer;
    assert!(world.finish(&started.flow, &answer).await.is_ok());
}

#[tokio::test]
async fn keys_may_change_between_two_sign_ins_and_within_one() {
    let (mut provider, world) = lonely_world().await;
    let (started, answer) = world.visit("ada").await;
    assert!(world.finish(&started.flow, &answer).await.is_ok());
    provider.rotate_keys().await;
    let (started, answer) = world.visit("ada").await;
    assert!(world.finish(&started.flow, &answer).await.is_ok());
    world.clock.advance(Duration::from_secs(60));
    let (started, answer) = world.visit("ada").await;
    provider.rotate_keys().await;
    assert!(world.finish(&started.flow, &answer).await.is_ok());
}

#[tokio::test]
async fn a_provider_that_is_away_is_said_to_be() {
    let (provider, world) = lonely_world().await;
    let (started, answer) = world.visit("ada").await;
    let newcomer = World::at(provider.issuer());
    drop(provider);
    // It was asked where to sign in before, and people may be luckier by the time they get there.
    assert!(world.social.start("test", None).await.is_ok());
    let outcome = world.finish(&started.flow, &answer).await;
    assert_eq!(refused(outcome), Some(SocialError::Unreachable));
    let outcome = newcomer.social.start("test", None).await;
    assert_eq!(refused(outcome), Some(SocialError::Unreachable));
}

#[tokio::test]
async fn a_client_that_the_provider_does_not_know_is_the_operators_business() {
    let provider = Provider::start(CALLBACK).await;
    let client_secret = Some(Hidden::from("another".to_owned()));
    let world = World::with(&IssuerSettings { client_secret, ..settings(provider.issuer()) });
    let (started, answer) = world.visit("ada").await;
    let outcome = world.finish(&started.flow, &answer).await;
    assert_eq!(refused(outcome), Some(SocialError::Unreachable));
}
