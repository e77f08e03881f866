//! People, as an identity provider vouches for them.

use std::fmt;

use crate::contact::{self, NotAnEmail};

/// An e-mail address in the one form in which addresses are compared: with the letters A to Z in lower
/// case. Mail servers that tell `Ada@` from `ada@` exist in standards alone, and people type both. Other
/// letters stay as they are: some of them, as the sign for Kelvin, would turn into a plain one, and an
/// address into somebody else's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Email(String);

impl Email {
    /// Reads an address.
    pub fn parse(text: &str) -> Result<Self, NotAnEmail> {
        contact::email(text).map(|email| Self(email.to_ascii_lowercase()))
    }

    /// Its characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Email({})", self.0)
    }
}

/// How many characters an issuer or a subject may have.
pub const SUBJECT_CHARACTERS: usize = 255;

/// What one issuer calls one user. It means nothing without the issuer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    issuer: String,
    subject: String,
}

/// The text cannot name an issuer or a user of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to {SUBJECT_CHARACTERS} characters, none of them a control character")]
pub struct NotASubject;

impl Subject {
    /// A user of an issuer, both to the letter.
    pub fn new(issuer: &str, subject: &str) -> Result<Self, NotASubject> {
        Ok(Self { issuer: Self::part(issuer)?, subject: Self::part(subject)? })
    }

    /// Checks one of the two.
    pub fn part(text: &str) -> Result<String, NotASubject> {
        let characters = text.chars().count();
        let is_written = !text.chars().any(char::is_control);
        let fits = (1..=SUBJECT_CHARACTERS).contains(&characters) && is_written;
        fits.then(|| text.to_owned()).ok_or(NotASubject)
    }

    /// Who says so.
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// What they call the user.
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

/// Something by which a person is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identity {
    /// An e-mail address of theirs.
    Email(Email),
    /// What an issuer calls them.
    Subject(Subject),
}

/// The parts are no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnIdentity {
    /// There is no such kind.
    #[error("is of no known kind")]
    Kind,
    /// The address is none.
    #[error(transparent)]
    Email(#[from] NotAnEmail),
    /// The issuer or the user of it is none.
    #[error(transparent)]
    Subject(#[from] NotASubject),
}

impl Identity {
    /// Its kind in a word, as stores keep it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Email(_) => "email",
            Self::Subject(_) => "subject",
        }
    }

    /// Who vouches for it, as stores keep it: nobody for an address.
    pub fn issuer(&self) -> &str {
        match self {
            Self::Email(_) => "",
            Self::Subject(subject) => subject.issuer(),
        }
    }

    /// What the person is called by it, as stores keep it: the address, or the subject.
    pub fn name(&self) -> &str {
        match self {
            Self::Email(email) => email.as_str(),
            Self::Subject(subject) => subject.subject(),
        }
    }

    /// The identity of these parts, as a store has kept them.
    pub fn stored(kind: &str, issuer: &str, name: &str) -> Result<Self, NotAnIdentity> {
        match kind {
            "email" => Ok(Self::Email(Email::parse(name)?)),
            "subject" => Ok(Self::Subject(Subject::new(issuer, name)?)),
            _ => Err(NotAnIdentity::Kind),
        }
    }
}

/// How people read it; also the name of whoever acts, in records of changes.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Email(email) => email.fmt(f),
            Self::Subject(Subject { issuer, subject }) => write!(f, "{subject} of {issuer}"),
        }
    }
}

/// Someone who has proven who they are: by an address that was verified, by what an issuer calls them,
/// or by both. At least one of them is there.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Person {
    /// Their verified address.
    pub email: Option<Email>,
    /// What an issuer calls them.
    pub subject: Option<Subject>,
}

impl Person {
    /// Everything that they are known by, the address first.
    pub fn identities(&self) -> Vec<Identity> {
        let email = self.email.clone().map(Identity::Email);
        let subject = self.subject.clone().map(Identity::Subject);
        email.into_iter().chain(subject).collect()
    }
}

impl From<Email> for Person {
    fn from(email: Email) -> Self {
        Self { email: Some(email), subject: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_compared_without_case() {
        assert_eq!(Email::parse("Ada@Example.ORG"), Email::parse("ada@example.org"));
        assert_eq!(Email::parse("ada"), Err(NotAnEmail::Malformed));
        assert_ne!(Email::parse("\u{212a}ate@example.org"), Email::parse("kate@example.org"));
    }

    #[test]
    fn subjects_are_kept_to_the_letter() {
        let subject = Subject::new("https://id.example", "User-1").unwrap();
        assert_ne!(Ok(subject.clone()), Subject::new("https://id.example", "user-1"));
        assert_eq!(Identity::Subject(subject).to_string(), "User-1 of https://id.example");
        for text in ["", "a\0b", &"x".repeat(256)] {
            assert_eq!(Subject::part(text), Err(NotASubject));
        }
    }

    #[test]
    fn identities_are_put_together_from_the_parts_that_are_kept() {
        let email = Identity::Email(Email::parse("ada@example.org").unwrap());
        let subject = Identity::Subject(Subject::new("https://id.example", "User-1").unwrap());
        for identity in [email, subject] {
            let parts = (identity.kind(), identity.issuer(), identity.name());
            assert_eq!(Identity::stored(parts.0, parts.1, parts.2), Ok(identity));
        }
        let nobody = Identity::stored("subject", "", "User-1");
        assert_eq!(nobody, Err(NotAnIdentity::Subject(NotASubject)));
        assert_eq!(Identity::stored("phone", "", "1"), Err(NotAnIdentity::Kind));
    }
}
