//! A service with a mail server.

use weir_testkit::mailbox::{Letter, Mailbox, PASSWORD, Security, USER};

use crate::browser::Browser;
use crate::home::Home;
use crate::server::Server;

/// A service that sends its mail to a server of the test.
pub struct Site {
    pub home: Home,
    pub server: Server,
    mailbox: Mailbox,
}

impl Site {
    /// Starts both.
    pub async fn open() -> Self {
        Self::open_with(&["serve"]).await
    }

    /// The same, with the demonstration in it.
    pub async fn demonstration() -> Self {
        Self::open_with(&["serve", "--demo"]).await
    }

    async fn open_with(command: &[&str]) -> Self {
        let mailbox = Mailbox::start(Security::StartTls).await;
        let home = Home::new()
            .with("WEIR_SMTP_HOST", "localhost")
            .with("WEIR_SMTP_PORT", mailbox.port().to_string())
            .with("WEIR_SMTP_USERNAME", USER)
            .with("WEIR_SMTP_PASSWORD", PASSWORD)
            .with("WEIR_SMTP_FROM", "Weir <weir@example.org>")
            .with("WEIR_SMTP_CA_FILE", mailbox.authority_file().to_str().unwrap());
        let server = home.start(command).await;
        Self { home, server, mailbox }
    }

    /// An address in it.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address)
    }

    /// Makes someone a member of a reseller.
    pub async fn member(&self, reseller: &str, email: &str, role: &str) {
        let words = ["member", "add", "--reseller", reseller, "--email", email, "--role", role];
        self.home.run(&words).await.said();
    }

    /// The next letter that arrives.
    pub async fn letter(&mut self) -> Letter {
        self.mailbox.next().await
    }

    /// Signs in as somebody who has a mailbox does.
    pub async fn sign_in(&mut self, browser: &Browser, email: &str) {
        browser.go(&self.url("/sign-in")).await;
        browser.fill("E-mail address", email).await;
        browser.press("Send me a link").await;
        let link = link_in(&self.letter().await);
        browser.go(&link).await;
        browser.sees("Sign out").await;
    }
}

/// The link in a letter.
pub fn link_in(letter: &Letter) -> String {
    let mut words = letter.plain.split_whitespace();
    words.find(|word| word.starts_with("http")).expect("a letter with a link").to_owned()
}
