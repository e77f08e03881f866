//! Signing in, up and out, and choosing a reseller.

/// What it is.
pub const TITLE: &str = "Sign in";
/// What the field is for.
pub const EMAIL: &str = "E-mail address";
/// What the button does.
pub const SEND: &str = "Send me a link";
/// How it works.
pub const HINT: &str = "We send you a link that signs you in. There is no password.";
/// Before the name of a provider.
pub const WITH: &str = "Continue with";
/// Between the two ways in.
pub const OR: &str = "or";
/// What those see who asked.
pub const SENT: &str = "Look into your mail";
/// What they are told.
pub const SENT_MESSAGE: &str = "If the address is known here, a link is on its way. It works once, within \
                                15 minutes, in this browser.";
/// The way back.
pub const AGAIN: &str = "Use another address";
/// To those who ask too often.
pub const TOO_MANY: &str =
    "Too many links were asked for from here. Please try again in a few minutes.";
/// Signing up.
pub const UP: &str = "Create an account";
/// To those who have one.
pub const IN: &str = "I have an account";
/// What the field is for.
pub const ORGANISATION: &str = "Name of your organisation";
/// How that works.
pub const UP_HINT: &str = "We send you a link to prove the address. Your organisation is created when you \
                           follow it.";
/// When somebody signed up.
pub const WELCOME: &str = "Welcome. Your organisation is there, with its first API key.";
/// A link that is worth nothing.
pub const BAD_LINK: &str = "The link is not valid. It works once, within 15 minutes, and only in the \
                            browser in which it was asked for.";
/// A name that is taken.
pub const RENAME: &str = "Choose another name";
/// What the button does.
pub const CREATE: &str = "Create";
/// Choosing a reseller.
pub const CHOOSE: &str = "Choose an organisation";
