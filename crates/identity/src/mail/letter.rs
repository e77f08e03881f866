//! What is written to people.

use std::fmt;

use weir_domain::person::Email;
use weir_domain::sign_in::LINK_LIFETIME;
use zeroize::Zeroizing;

/// A letter with a link that signs in.
#[derive(Clone)]
pub struct Letter {
    to: Email,
    link: Zeroizing<String>,
}

impl Letter {
    /// A letter with that link.
    pub fn new(to: Email, link: Zeroizing<String>) -> Self {
        Self { to, link }
    }

    /// Whom it is for.
    pub const fn to(&self) -> &Email {
        &self.to
    }

    /// Where their mail is taken in, which may be told where the whole address may not.
    pub fn host(&self) -> &str {
        self.to.as_str().rsplit('@').next().unwrap_or_default()
    }

    /// The link, for them alone.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// What it is about.
    pub const fn subject(&self) -> &'static str {
        "Sign in to Weir"
    }

    /// Its text.
    pub fn text(&self) -> Zeroizing<String> {
        let (link, minutes) = (self.link(), LINK_LIFETIME.as_secs() / 60);
        Zeroizing::new(format!(
            "Follow this link to sign in to Weir:\n\n{link}\n\n\
             It works once, within {minutes} minutes, and only in the browser in which you asked for \
             it.\n\nIf it was not you who asked, ignore this mail: without the link nobody can sign in \
             for you.\n"
        ))
    }

    /// The same for those who read pages.
    pub fn page(&self) -> Zeroizing<String> {
        let (link, minutes) = (escape(self.link()), LINK_LIFETIME.as_secs() / 60);
        Zeroizing::new(format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{}</title>\
             <body style=\"font:16px/1.5 system-ui,sans-serif;max-width:32rem\">\
             <p><a href=\"{link}\">Sign in to Weir</a></p>\
             <p>The link works once, within {minutes} minutes, and only in the browser in which you \
             asked for it.</p>\
             <p>If it was not you who asked, ignore this mail: without the link nobody can sign in for \
             you.</p></body></html>\n",
            self.subject()
        ))
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Letter").field("host", &self.host()).finish_non_exhaustive()
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
