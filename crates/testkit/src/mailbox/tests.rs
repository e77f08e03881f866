//! The mail server itself, spoken to by hand: what it refuses is what other tests rely upon.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use super::*;

/// Says lines to the server and returns the code of each answer.
fn converse(port: u16, lines: &[&str]) -> Vec<String> {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let (mut to, mut from) = (stream.try_clone().unwrap(), BufReader::new(stream));
    let mut answer = || loop {
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        // All lines of an answer but its last have a dash behind the code.
        if line.as_bytes().get(3) != Some(&b'-') {
            return line[..3].to_owned();
        }
    };
    let mut codes = vec![answer()];
    for line in lines {
        write!(to, "{line}\r\n").unwrap();
        codes.push(answer());
    }
    codes
}

/// `\0weir\0a password that only tests share`.
const LOGIN: &str = "AUTH PLAIN AHdlaXIAYSBwYXNzd29yZCB0aGF0IG9ubHkgdGVzdHMgc2hhcmU=";
/// The same with another password.
const WRONG_LOGIN: &str = "AUTH PLAIN AHdlaXIAZ3Vlc3NlZA==";

#[tokio::test]
async fn it_keeps_what_it_receives() {
    let mut mailbox = Mailbox::start(Security::Plain).await;
    assert!(mailbox.is_empty());
    let letter = "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHello\r\n.";
    let lines = [
        "EHLO a",
        LOGIN,
        "MAIL FROM:<weir@example.org>",
        "RCPT TO:<ada@example.org>",
        "DATA",
        letter,
    ];
    assert_eq!(converse(mailbox.port(), &lines), ["220", "250", "235", "250", "250", "354", "250"]);
    let letter = mailbox.next().await;
    assert_eq!((letter.subject.as_str(), letter.plain.trim()), ("Grüße", "Hello"));
    assert_eq!(
        (letter.from.as_str(), letter.to[0].as_str()),
        ("weir@example.org", "ada@example.org")
    );
    assert_eq!((letter.user.as_deref(), letter.encrypted), (Some(USER), false));
    assert!(mailbox.is_empty());
}

#[tokio::test]
async fn it_wants_a_login() {
    let mailbox = Mailbox::start(Security::Plain).await;
    let lines = ["EHLO a", WRONG_LOGIN, "MAIL FROM:<weir@example.org>"];
    assert_eq!(converse(mailbox.port(), &lines), ["220", "250", "535", "530"]);
}

#[tokio::test]
async fn it_wants_starttls_where_it_is_told_to() {
    let mailbox = Mailbox::start(Security::StartTls).await;
    let lines = ["EHLO a", LOGIN, "MAIL FROM:<weir@example.org>"];
    assert_eq!(converse(mailbox.port(), &lines), ["220", "250", "530", "530"]);
}
