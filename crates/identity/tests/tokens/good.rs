//! Good tokens get in.

use std::time::Duration;

use serde_json::json;
use weir_domain::Timestamp;
use weir_domain::person::{Email, Person, Subject};
use weir_identity::testing::Setting;
use weir_identity::token::{Reason, Unverified, Verified};

use crate::{Bench, NOON, SETTING};

#[tokio::test]
async fn good_tokens_say_whose_they_are() {
    let bench = Bench::new();
    for (name, token) in SETTING.good_tokens() {
        let verified =
            bench.verifier.verify(&token).await.unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let issuer = match name.as_str() {
            "HS256" => Setting::SHARED,
            "another issuer" => Setting::OTHER,
            _ => Setting::ISSUER,
        };
        let expected = Verified {
            person: Person {
                email: Some(Email::parse(Setting::EMAIL).unwrap()),
                subject: Some(Subject::new(issuer, Setting::SUBJECT).unwrap()),
            },
            session: None,
            nonce: None,
            expires_at: NOON.plus(Duration::from_secs(300)),
        };
        assert_eq!(verified, expected, "{name}");
    }
}

#[tokio::test]
async fn a_secret_needs_no_name() {
    let bench = Bench::new();
    let claims = SETTING.claims(Setting::SHARED);
    for header in [json!({ "alg": "HS256" }), json!({ "alg": "HS256", "kid": "anything" })] {
        let token = SETTING.shared.token_with(&header, &claims);
        assert!(bench.verifier.verify(&token).await.is_ok(), "{header}");
    }
}

#[tokio::test]
async fn kinds_of_tokens_that_say_who_someone_is() {
    let bench = Bench::new();
    let claims = SETTING.claims(Setting::ISSUER);
    for kind in ["JWT", "jwt", "at+jwt", "application/at+jwt"] {
        let header = json!({ "alg": "ES256", "kid": "p256", "typ": kind });
        let token = SETTING.p256.token_with(&header, &claims);
        assert!(bench.verifier.verify(&token).await.is_ok(), "{kind}");
    }
}

#[tokio::test]
async fn a_large_token_is_taken() {
    let token = SETTING.padded_token(11_500);
    assert!((15_000..=16_384).contains(&token.len()), "{}", token.len());
    assert!(Bench::new().verifier.verify(&token).await.is_ok());
}

#[tokio::test]
async fn clocks_may_be_a_minute_apart() {
    let bench = Bench::new();
    let mut claims = SETTING.claims(Setting::ISSUER);
    claims["nbf"] = claims["iat"].clone();
    let token = SETTING.p256.token(&claims);
    let micro = Duration::from_micros(1);
    let minute = Duration::from_secs(60);
    let rejected = |reason| Err(Unverified::Rejected(reason));
    let edges: [(Timestamp, Result<(), Unverified>); 4] = [
        (NOON.minus(minute), Ok(())),
        (NOON.minus(minute).minus(micro), rejected(Reason::Early)),
        (NOON.plus(minute * 6).minus(micro), Ok(())),
        (NOON.plus(minute * 6), rejected(Reason::Expired)),
    ];
    for (now, expected) in edges {
        bench.clock.set(now);
        assert_eq!(bench.verifier.verify(&token).await.map(|_| ()), expected, "{now}");
    }
}
