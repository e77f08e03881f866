//! Nothing hostile gets in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;
use tokio::runtime::Runtime;
use weir_identity::testing::hostile_tokens;
use weir_identity::token::{Reason, Unverified};

use crate::{Bench, SETTING};

/// Whether a token of that group is rejected for what is wrong with it, and not by accident.
fn fits(group: &str, reason: Reason) -> bool {
    match group {
        "none" => matches!(reason, Reason::Algorithm | Reason::Malformed | Reason::Signature),
        "confusion" => reason == Reason::Algorithm,
        "algorithm" => matches!(reason, Reason::Algorithm | Reason::Key | Reason::Field("alg")),
        "brought along" | "demand" => matches!(reason, Reason::Header(_) | Reason::Field("typ")),
        "header" => matches!(reason, Reason::NotAnObject | Reason::Field("alg")),
        "kid" => matches!(reason, Reason::Key | Reason::Field("kid")),
        "key" => matches!(reason, Reason::Key | Reason::Signature | Reason::Algorithm),
        "time" => matches!(
            reason,
            Reason::Field("exp" | "nbf" | "iat")
                | Reason::Expired
                | Reason::Early
                | Reason::NotAnObject
        ),
        "audience" => matches!(reason, Reason::Audience | Reason::Field("aud")),
        "issuer" => matches!(reason, Reason::Issuer | Reason::Field("iss")),
        "subject" => reason == Reason::Field("sub"),
        "twice" => reason == Reason::NotAnObject,
        "signature" => reason == Reason::Signature,
        "payload" => matches!(reason, Reason::NotAnObject | Reason::Field("iss")),
        "length" => reason == Reason::TooLong,
        "base64" | "bytes" | "space" => reason == Reason::Malformed,
        "form" => true,
        _ => false,
    }
}

#[tokio::test]
async fn every_hostile_token_is_rejected_for_what_is_wrong_with_it() {
    let bench = Bench::new();
    let tokens = hostile_tokens(&SETTING);
    let mut counts = BTreeMap::new();
    for (name, token) in &tokens {
        let group = name.split(':').next().unwrap();
        *counts.entry(group).or_insert(0) += 1;
        match bench.verifier.verify(token).await {
            Err(Unverified::Rejected(reason)) => assert!(fits(group, reason), "{name}: {reason}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    println!("{} hostile tokens: {counts:?}", tokens.len());
    assert!(tokens.len() >= 300, "{}", tokens.len());
    let names: BTreeSet<_> = tokens.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), tokens.len(), "every one has a name of its own");
}

/// Verifies while nothing else runs: properties are not asynchronous.
fn verify(token: &str) -> Result<(), Unverified> {
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().unwrap());
    static BENCH: LazyLock<Bench> = LazyLock::new(Bench::new);
    RUNTIME.block_on(BENCH.verifier.verify(token)).map(|_| ())
}

/// Signing takes a moment.
static GOOD: LazyLock<Vec<(String, String)>> = LazyLock::new(|| SETTING.good_tokens());

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_rejected(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let result = verify(&String::from_utf8_lossy(&bytes));
        prop_assert!(matches!(result, Err(Unverified::Rejected(_))), "{result:?}");
    }

    #[test]
    fn anything_in_the_form_of_a_token_is_rejected(token in "[A-Za-z0-9_-]{0,80}(\\.[A-Za-z0-9_-]{0,80}){1,4}") {
        let result = verify(&token);
        prop_assert!(matches!(result, Err(Unverified::Rejected(_))), "{result:?}");
    }

    #[test]
    fn a_good_token_with_one_byte_changed_is_rejected(
        which in any::<prop::sample::Index>(), place in any::<prop::sample::Index>(), byte in 32..127_u8,
    ) {
        let (name, token) = which.get(&GOOD);
        let mut changed = token.clone().into_bytes();
        let place = place.index(changed.len());
        changed[place] = byte;
        let changed = String::from_utf8(changed).unwrap();
        prop_assume!(&changed != token);
        let result = verify(&changed);
        prop_assert!(matches!(result, Err(Unverified::Rejected(_))), "{name} at {place}: {result:?}");
    }
}
