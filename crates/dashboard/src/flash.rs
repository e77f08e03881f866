//! What came of a change, told on the page that comes next. It lies sealed in a cookie until then, so that
//! nobody else puts words into our mouth.

use std::fmt::Display;
use std::time::Duration;

use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use weir_app::credentials::{NONCE, Secret};
use weir_app::{AppError, AppResult};
use weir_domain::Refusal;
use weir_identity::cookie::{self, EVERYWHERE};

use crate::Dashboard;
use crate::problem::Problem;

/// The cookie.
const FLASH: &str = "weir_flash";
/// What it is sealed for.
const CONTEXT: &str = "flash message";
/// How long it waits for a page.
const LIFETIME: Duration = Duration::from_secs(60);
/// How many characters it may have: cookies are small.
const LONGEST: usize = 500;

/// What came of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    /// Whether it succeeded.
    pub is_success: bool,
    /// What is to be told.
    pub text: String,
}

impl Flash {
    /// It succeeded.
    pub fn success(text: impl Into<String>) -> Self {
        Self { is_success: true, text: text.into() }
    }

    /// It did not.
    pub fn failure(text: impl Into<String>) -> Self {
        Self { is_success: false, text: text.into() }
    }

    /// What a browser brings along, if it is ours.
    pub(crate) fn read(headers: &HeaderMap, secret: &Secret) -> Option<Self> {
        let sealed = URL_SAFE_NO_PAD.decode(cookie::find(headers, FLASH)?).ok()?;
        serde_json::from_slice(&secret.open_bytes(CONTEXT, &sealed)?).ok()
    }

    /// Whether a browser brings one along.
    pub(crate) fn is_in(headers: &HeaderMap) -> bool {
        cookie::find(headers, FLASH).is_some()
    }

    /// The header by which it is told once.
    pub(crate) fn forget(is_https: bool) -> Option<HeaderValue> {
        cookie::set((FLASH, EVERYWHERE), "", Duration::ZERO, is_https)
    }

    fn keep(mut self, secret: &Secret, is_https: bool) -> Result<HeaderValue, Problem> {
        if let Some((end, _)) = self.text.char_indices().nth(LONGEST) {
            self.text.truncate(end);
            self.text.push('…');
        }
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce)?;
        let told = serde_json::to_vec(&self).unwrap_or_default();
        let sealed = URL_SAFE_NO_PAD.encode(secret.seal_bytes(CONTEXT, &told, nonce));
        cookie::set((FLASH, EVERYWHERE), &sealed, LIFETIME, is_https).ok_or(Problem::Internal)
    }
}

impl Dashboard {
    /// Sends a browser on to a page of ours, where it is told what came of a change.
    pub fn send_on(&self, page: &str, flash: Flash) -> Result<Response, Problem> {
        let told = flash.keep(self.secret(), self.is_https())?;
        Ok(([(SET_COOKIE, told)], Redirect::to(page)).into_response())
    }

    /// Sends a browser on after something of a list was deleted, or back to it where other things still
    /// refer to it.
    pub fn after_deletion(
        &self,
        list: &str,
        id: impl Display,
        deleted: AppResult<String>,
    ) -> Result<Response, Problem> {
        match deleted {
            Ok(told) => self.send_on(list, Flash::success(told)),
            Err(AppError::Refused(refusal @ Refusal::StillReferred { .. })) => {
                self.send_on(&format!("{list}/{id}"), Flash::failure(refusal.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;

    use super::*;

    fn secret() -> Secret {
        Secret::new(b"sixteen bytes or more").unwrap()
    }

    fn brought_back(set: &HeaderValue) -> HeaderMap {
        let value = set.to_str().unwrap().split(';').next().unwrap().to_owned();
        [(COOKIE, HeaderValue::try_from(value).unwrap())].into_iter().collect()
    }

    #[test]
    fn what_is_kept_is_read_and_long_texts_are_cut() {
        for text in ["Fünf Zähler.", &"ü".repeat(LONGEST)] {
            let kept = Flash::success(text).keep(&secret(), true).unwrap();
            assert_eq!(Flash::read(&brought_back(&kept), &secret()), Some(Flash::success(text)));
        }
        let kept = Flash::failure("ü".repeat(10_000)).keep(&secret(), true).unwrap();
        assert!(kept.len() < 4_000);
        let read = Flash::read(&brought_back(&kept), &secret()).unwrap();
        assert!(!read.is_success && read.text.ends_with("ü…"));
    }

    #[test]
    fn what_others_made_up_is_not_told() {
        let other = Secret::new(b"another secret of the same").unwrap();
        let kept = Flash::success("Pay here.").keep(&other, true).unwrap();
        assert_eq!(Flash::read(&brought_back(&kept), &secret()), None);
        let plain = HeaderValue::from_static("weir_flash=Pay");
        assert_eq!(Flash::read(&[(COOKIE, plain)].into_iter().collect(), &secret()), None);
    }
}
