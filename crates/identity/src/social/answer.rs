//! What a provider gives a browser to bring along.

use super::SocialError;

/// The parameters with which a provider sends a browser back.
#[derive(Clone, Default)]
pub struct ProviderAnswer {
    /// Which flow it belongs to.
    pub state: String,
    /// What is exchanged for tokens.
    pub code: Option<String>,
    /// Why there is none.
    pub error: Option<String>,
    /// Who the provider is, where it says so.
    pub issuer: Option<String>,
}

impl ProviderAnswer {
    /// The code, where that issuer gave one. A provider that says who it is must be the one that the
    /// browser was sent to: a code of another one is none of its business.
    pub(super) fn code(&self, issuer: &str) -> Result<&str, SocialError> {
        if self.issuer.as_deref().is_some_and(|it| it != issuer) {
            return Err(SocialError::NotVouchedFor);
        }
        if self.error.is_some() {
            return Err(SocialError::Declined);
        }
        self.code.as_deref().filter(|code| !code.is_empty()).ok_or(SocialError::NotVouchedFor)
    }
}

#[cfg(test)]
impl ProviderAnswer {
    /// The same with another state.
    pub(super) fn with_state(mut self, state: &str) -> Self {
        self.state = state.to_owned();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_counts_only_from_whom_was_asked_and_without_an_error() {
        let some = |text: &str| Some(text.to_owned());
        let answer =
            |code, error, issuer| ProviderAnswer { state: "s".into(), code, error, issuer };
        let given = |answer: ProviderAnswer| answer.code("https://id.example").map(str::to_owned);
        assert_eq!(given(answer(some("c"), None, None)), Ok("c".to_owned()));
        assert_eq!(given(answer(some("c"), None, some("https://id.example"))), Ok("c".to_owned()));
        let other = some("https://id.example/");
        assert_eq!(given(answer(some("c"), None, other)), Err(SocialError::NotVouchedFor));
        let refused = answer(some("c"), some("access_denied"), None);
        assert_eq!(given(refused), Err(SocialError::Declined));
        for code in [None, some("")] {
            assert_eq!(given(answer(code, None, None)), Err(SocialError::NotVouchedFor));
        }
    }
}
