//! Why someone was not signed in.

use crate::token::Unverified;

/// Why someone was not signed in. None of it repeats what a provider or a browser said, so that all of it
/// may be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SocialError {
    /// The name is nobody's.
    #[error("There is no provider of this name to sign in at.")]
    UnknownProvider,
    /// No flow, another browser's, an old one, or the state is not its.
    #[error("This sign-in was not begun in this browser, or too long ago. Please begin again.")]
    NotBegunHere,
    /// Someone changed their mind, or the provider did not let them.
    #[error("The sign-in was not completed at the provider.")]
    Declined,
    /// The code is none, is used up or belongs to another flow, or the ID token is not valid.
    #[error("The provider does not vouch for this sign-in. Please begin again.")]
    NotVouchedFor,
    /// The provider does not answer, or not as providers do.
    #[error("The provider cannot be reached at the moment.")]
    Unreachable,
    /// There is no randomness to be had.
    #[error("The system has no randomness to give.")]
    NoChance,
}

impl From<getrandom::Error> for SocialError {
    fn from(_: getrandom::Error) -> Self {
        Self::NoChance
    }
}

impl From<Unverified> for SocialError {
    fn from(unverified: Unverified) -> Self {
        match unverified {
            Unverified::Rejected(_) => Self::NotVouchedFor,
            Unverified::Unreachable(_) => Self::Unreachable,
        }
    }
}
