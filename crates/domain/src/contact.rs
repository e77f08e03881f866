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
}
