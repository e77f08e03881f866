//! Mail, up to the wire; what a mail server makes of it is tested against a real one.

use tokio::sync::Notify;
use weir_domain::person::Email;

use super::*;

fn letter(to: &str) -> Letter {
    let link = "https://weir.example.org/auth/magic-link/follow?token=abc".to_owned();
    Letter::new(Email::parse(to).unwrap(), link.into())
}

fn settings() -> SmtpSettings {
    SmtpSettings {
        host: "mail.example.org".into(),
        port: 587,
        security: Security::Starttls,
        credentials: None,
        from: "Weir <weir@example.org>".into(),
        ca_file: None,
    }
}

#[test]
fn a_letter_says_what_the_link_is_worth() {
    let letter = letter("ada@example.org");
    assert_eq!(letter.subject(), "Sign in to Weir");
    for text in [letter.text(), letter.page()] {
        for said in [letter.link(), "once", "15 minutes", "only in the browser", "ignore this mail"]
        {
            assert!(text.contains(said), "{said} is not in {}", *text);
        }
    }
    assert_eq!(format!("{letter:?}"), "Letter { host: \"example.org\", .. }");
}

#[test]
fn mail_goes_in_the_clear_to_this_machine_only() {
    let plain = |host: &str| {
        SmtpPostman::new(&SmtpSettings {
            host: host.into(),
            security: Security::None,
            ..settings()
        })
    };
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "::1", "127.3.2.1"] {
        assert!(plain(host).is_ok(), "{host}");
    }
    for host in ["mail.example.org", "192.168.1.1", "localhost.example.org", "0.0.0.0", ""] {
        assert!(matches!(plain(host), Err(NotUsable::Clear)), "{host}");
    }
}

#[test]
fn what_is_wrong_with_a_mail_server_is_known_before_the_first_letter() {
    let from = SmtpSettings { from: "nobody".into(), ..settings() };
    assert!(matches!(SmtpPostman::new(&from), Err(NotUsable::From)));
    let directory = tempfile::tempdir().unwrap();
    let (absent, empty) = (directory.path().join("absent.pem"), directory.path().join("empty.pem"));
    std::fs::write(&empty, "no certificate").unwrap();
    for file in [absent, empty] {
        let settings = SmtpSettings { ca_file: Some(file.clone()), ..settings() };
        let reason = SmtpPostman::new(&settings).err().unwrap().to_string();
        assert!(reason.contains(&file.display().to_string()), "{reason}");
    }
}

/// A postman who stands still until told to go.
#[derive(Default)]
struct Slow(Notify);

impl Postman for Slow {
    fn deliver<'a>(&'a self, _: &'a Letter) -> BoxFuture<'a, Result<(), Undelivered>> {
        Box::pin(async {
            self.0.notified().await;
            Ok(())
        })
    }
}

#[tokio::test]
async fn the_queue_has_an_end_and_nobody_waits_for_it() {
    let postbox = Postbox::open(Arc::new(Slow::default()));
    for number in 0..1_000 {
        postbox.post(letter(&format!("{number}@example.org")));
    }
    assert_eq!(postbox.0.capacity(), 0);
}
