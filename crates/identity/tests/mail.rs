//! Mail, against a real mail server.

#![allow(clippy::unwrap_used)] // The lint knows tests, but not what they call.

use std::path::Path;

use weir_domain::person::Email;
use weir_identity::mail::{Letter, Postman, Security, SmtpPostman, SmtpSettings, Undelivered};
use weir_testkit::mailbox::{self, Authority, Mailbox, PASSWORD, USER};

const LINK: &str = "https://weir.example.org/auth/magic-link/follow?token=\
                    q1Xo7cZ0mV9r3tYwBnKd5gLsHfEaJiUxPzCvRbQeTkM";

/// How a service that trusts whom the mail server trusts would send.
fn settings(mailbox: &Mailbox, security: Security) -> SmtpSettings {
    SmtpSettings {
        host: "localhost".into(),
        port: mailbox.port(),
        security,
        credentials: Some((USER.to_owned(), PASSWORD.to_owned().into())),
        from: "Weir <weir@example.org>".into(),
        ca_file: Some(mailbox.authority_file().to_owned()),
    }
}

fn letter() -> Letter {
    Letter::new(Email::parse("ada@example.org").unwrap(), LINK.to_owned().into())
}

async fn send(settings: &SmtpSettings) -> Result<(), Undelivered> {
    SmtpPostman::new(settings).unwrap().deliver(&letter()).await
}

#[tokio::test]
async fn a_letter_arrives_by_starttls_by_tls_and_on_this_machine_in_the_clear() {
    for (server, client, is_encrypted) in [
        (mailbox::Security::StartTls, Security::Starttls, true),
        (mailbox::Security::Tls, Security::Tls, true),
        (mailbox::Security::Plain, Security::None, false),
    ] {
        let mut mailbox = Mailbox::start(server).await;
        send(&settings(&mailbox, client)).await.unwrap();
        let letter = mailbox.next().await;
        assert_eq!(letter.encrypted, is_encrypted, "{client:?}");
        assert_eq!(letter.user.as_deref(), Some(USER));
        assert_eq!(
            (letter.from.as_str(), letter.to.as_slice()),
            ("weir@example.org", &["ada@example.org".to_owned()][..])
        );
        assert_eq!(letter.subject, "Sign in to Weir");
        // Whole, whatever lines were broken on the way.
        assert!(letter.plain.contains(LINK), "{}", letter.plain);
        assert!(letter.html.contains(&format!("href=\"{LINK}\"")), "{}", letter.html);
        assert!(mailbox.is_empty());
    }
}

/// Sends a letter in vain, and returns why: in words that hold nothing of it.
async fn is_not_sent(mailbox: &mut Mailbox, settings: &SmtpSettings) -> String {
    let reason = send(settings).await.unwrap_err().to_string();
    assert!(mailbox.is_empty(), "{settings:?}");
    for secret in [LINK, "ada", PASSWORD] {
        assert!(!reason.contains(secret), "{reason}");
    }
    reason
}

#[tokio::test]
async fn a_server_that_an_unknown_authority_vouches_for_gets_nothing() {
    let stranger = Authority::new();
    for (server, client) in
        [(mailbox::Security::StartTls, Security::Starttls), (mailbox::Security::Tls, Security::Tls)]
    {
        let mut mailbox = Mailbox::start(server).await;
        // Neither another authority nor those that this machine trusts have heard of it.
        for authority in [Some(stranger.file()), None] {
            let ca_file = authority.map(Path::to_owned);
            let settings = SmtpSettings { ca_file, ..settings(&mailbox, client) };
            let reason = is_not_sent(&mut mailbox, &settings).await;
            assert!(reason.to_lowercase().contains("certificate"), "{reason}");
        }
    }
}

#[tokio::test]
async fn a_server_of_another_name_gets_nothing() {
    let mut mailbox = Mailbox::start(mailbox::Security::Tls).await;
    // The loopback network has other addresses than the one in the certificate.
    let settings = SmtpSettings { host: "127.0.0.2".into(), ..settings(&mailbox, Security::Tls) };
    is_not_sent(&mut mailbox, &settings).await;
}

#[tokio::test]
async fn nothing_goes_in_the_clear_where_encryption_is_demanded() {
    let mut plain = Mailbox::start(mailbox::Security::Plain).await;
    for security in [Security::Starttls, Security::Tls] {
        let settings = settings(&plain, security);
        is_not_sent(&mut plain, &settings).await;
    }
    let mut strict = Mailbox::start(mailbox::Security::StartTls).await;
    let settings = settings(&strict, Security::None);
    is_not_sent(&mut strict, &settings).await;
}

#[tokio::test]
async fn a_server_that_does_not_know_us_gets_nothing() {
    let mut mailbox = Mailbox::start(mailbox::Security::StartTls).await;
    let wrong = Some((USER.to_owned(), "guessed".to_owned().into()));
    let mut refused = Vec::new();
    for credentials in [wrong, None] {
        let settings = SmtpSettings { credentials, ..settings(&mailbox, Security::Starttls) };
        refused.push(is_not_sent(&mut mailbox, &settings).await);
    }
    assert!(refused[0].contains("535") && refused[1].contains("530"), "{refused:?}");
}

#[tokio::test]
async fn a_server_that_is_away_is_told_of() {
    let mut mailbox = Mailbox::start(mailbox::Security::StartTls).await;
    let postman = SmtpPostman::new(&settings(&mailbox, Security::Starttls)).unwrap();
    postman.deliver(&letter()).await.unwrap();
    mailbox.next().await;
    drop(mailbox);
    let reason = postman.deliver(&letter()).await.unwrap_err().to_string();
    assert!(reason.contains("cannot be used"), "{reason}");
}
