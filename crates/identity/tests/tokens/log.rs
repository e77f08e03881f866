//! What the log says.

use std::cell::RefCell;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Once};
use std::time::Duration;

use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use weir_identity::testing::{StillClock, hostile_tokens};

use crate::provider::{Answer, Provider};
use crate::{Bench, NOON, SETTING, discovering};

thread_local! {
    /// What was logged on this thread, which is that of one test.
    static LINES: RefCell<Vec<(Level, String)>> = const { RefCell::new(Vec::new()) };
}

/// A log in memory, for all tests: one for a thread would be passed over by whatever another thread logged
/// before.
struct Log;

impl Log {
    fn keep() -> Self {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| tracing::subscriber::set_global_default(Log).unwrap());
        Self
    }

    fn lines(&self) -> Vec<(Level, String)> {
        LINES.with_borrow(Clone::clone)
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.lines().into_iter().filter(|(level, _)| *level == Level::WARN);
        warnings.map(|(_, line)| line).collect()
    }
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("weir_identity")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        LINES.with_borrow_mut(|lines| lines.push((*event.metadata().level(), line.0)));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn tokens_are_not_logged() {
    let log = Log::keep();
    let bench = Bench::new();
    let tokens = hostile_tokens(&SETTING);
    for (_, token) in tokens.iter().chain(&SETTING.good_tokens()) {
        let _ = bench.verifier.verify(token).await;
    }
    let lines = log.lines();
    assert!(lines.len() >= tokens.len(), "every rejection is logged");
    for (level, line) in &lines {
        assert_eq!(*level, Level::DEBUG, "{line}");
        assert!(line.len() < 160 && !line.contains("eyJ"), "{line}");
        for told in ["user-1", "ada@example.org", "evil.example", "etc/passwd"] {
            assert!(!line.contains(told), "{line}");
        }
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_provider_is_said_once() {
    let log = Log::keep();
    let provider = Provider::start(&SETTING.jwks()).await;
    let clock = Arc::new(StillClock::at(NOON));
    let verifier = discovering(provider.url(), &clock);
    let mut claims = SETTING.claims(provider.url());
    claims["exp"] = SETTING.seconds(86_400).into();
    let unknown = SETTING.stranger.token_with(&json!({ "alg": "ES256", "kid": "x" }), &claims);
    let answers = [
        Answer::from(&SETTING.jwks()),
        Answer::Status(500),
        Answer::Status(500),
        Answer::Text("<html>".to_owned()),
        Answer::Text("<html>".to_owned()),
        Answer::from(&SETTING.jwks()),
        Answer::from(&json!({ "keys": [] })),
        Answer::Status(500),
    ];
    let mut counts = Vec::new();
    for answer in answers {
        provider.publish(answer);
        clock.advance(Duration::from_secs(60));
        let _ = verifier.verify(&unknown).await;
        counts.push(log.warnings().len());
    }
    assert_eq!(counts, [0, 1, 1, 2, 2, 2, 3, 4]);
    let warnings = log.warnings();
    assert!(warnings.iter().all(|line| line.contains("issuer=\"first\"")), "{warnings:?}");
    assert!(warnings[0].contains("500"), "{warnings:?}");
}
