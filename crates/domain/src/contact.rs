//! How people can be reached.

/// How many characters an e-mail address may have.
pub const EMAIL_CHARACTERS: usize = 254;
/// How many characters a phone number may have; numbers are written in many ways.
pub const PHONE_CHARACTERS: usize = 64;
/// How many characters a postal address may have.
pub const ADDRESS_CHARACTERS: usize = 500;

/// The text is no e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAnEmail {
    /// Too long for any mail server.
    #[error("must have at most {EMAIL_CHARACTERS} characters")]
    TooLong,
    /// Not something, one @, and something.
    #[error("must be an e-mail address")]
    Malformed,
}

/// Reads an e-mail address. Only mail can tell whether one works, so this refuses what cannot: no
/// single @ with something on both sides of it, spaces, control characters.
pub fn email(text: &str) -> Result<String, NotAnEmail> {
    if text.chars().count() > EMAIL_CHARACTERS {
        return Err(NotAnEmail::TooLong);
    }
    let is_written = !text.contains(|c: char| c.is_control() || c.is_whitespace());
    match text.split_once('@') {
        Some((user, host))
            if is_written && !user.is_empty() && !host.is_empty() && !host.contains('@') =>
        {
            Ok(text.to_owned())
        }
        _ => Err(NotAnEmail::Malformed),
    }
}

/// The text cannot be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// More characters than there may be.
    #[error("must have at most {0} characters")]
    TooLong(usize),
    /// The one character that not every store can hold.
    #[error("must not contain a NUL character")]
    Nul,
}

/// Reads a phone number, however it is written.
pub fn phone(text: &str) -> Result<String, NotKept> {
    kept(text, PHONE_CHARACTERS)
}

/// Reads a postal address, of any number of lines.
pub fn address(text: &str) -> Result<String, NotKept> {
    kept(text, ADDRESS_CHARACTERS)
}

fn kept(text: &str, most_characters: usize) -> Result<String, NotKept> {
    match text {
        _ if text.chars().count() > most_characters => Err(NotKept::TooLong(most_characters)),
        _ if text.contains('\0') => Err(NotKept::Nul),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_kept_as_they_are_written() {
        for text in ["ada@example.org", "Ada.Lovelace+meter@EXAMPLE.org", "ü@ü", "a@b"] {
            assert_eq!(email(text).as_deref(), Ok(text));
        }
        let longest = format!("{}@example.org", "a".repeat(242));
        assert_eq!(email(&longest), Ok(longest));
    }

    #[test]
    fn what_cannot_work_is_refused() {
        for text in ["", "@", "ada", "ada@", "@example.org", "a@b@c", "a b@c", "a@b\n", " a@b"] {
            assert_eq!(email(text), Err(NotAnEmail::Malformed), "{text:?}");
        }
        assert_eq!(email(&format!("{}@example.org", "a".repeat(243))), Err(NotAnEmail::TooLong));
    }

    #[test]
    fn numbers_and_addresses_are_kept_as_they_are_written() {
        assert_eq!(phone("+31 (0)20 555 01 23").as_deref(), Ok("+31 (0)20 555 01 23"));
        assert_eq!(address("Quay 1\n1000 AA").as_deref(), Ok("Quay 1\n1000 AA"));
        assert_eq!(phone(&"ü".repeat(65)), Err(NotKept::TooLong(64)));
        assert_eq!(address("a\0"), Err(NotKept::Nul));
    }
}
