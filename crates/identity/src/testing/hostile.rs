//! Tokens that must be rejected.

mod audience;
mod form;
mod header;
mod key;
mod signature;
mod time;

use serde_json::Value;

use super::Setting;
use super::setting::altered;

/// Tokens that must be rejected, each with its name: the group, a colon, and what is wrong with it. But for
/// that one thing each would be good.
///
/// Those of the group `space` become good ones where a transport trims what it carries, as HTTP does; those
/// of the group `bytes` cannot be carried by HTTP at all.
pub fn hostile_tokens(setting: &Setting) -> Vec<(String, String)> {
    let mut table = Table { setting, group: "", rows: Vec::new() };
    header::list(&mut table);
    key::list(&mut table);
    time::list(&mut table);
    audience::list(&mut table);
    signature::list(&mut table);
    form::list(&mut table);
    table.rows
}

struct Table<'a> {
    setting: &'a Setting,
    group: &'static str,
    rows: Vec<(String, String)>,
}

impl Table<'_> {
    fn add(&mut self, name: &str, token: impl Into<String>) {
        self.rows.push((format!("{}: {name}", self.group), token.into()));
    }

    /// What a good token says.
    fn claims(&self) -> Value {
        self.setting.claims(Setting::ISSUER)
    }

    /// A good token with another claim.
    fn claim(&mut self, name: &str, claim: &str, value: Value) {
        let claims = altered(self.claims(), claim, value);
        self.add(&format!("{claim} {name}"), self.setting.p256.token(&claims));
    }

    /// A good token without a claim.
    fn without(&mut self, claim: &str) {
        let mut claims = self.claims();
        if let Some(claims) = claims.as_object_mut() {
            claims.remove(claim);
        }
        self.add(&format!("{claim} missing"), self.setting.p256.token(&claims));
    }

    /// A good token with a claim that is written in a way that JSON values cannot be.
    fn written(&mut self, name: &str, claim: &str, text: &str) {
        let claims = altered(self.claims(), claim, "@".into());
        let claims = claims.to_string().replace("\"@\"", text);
        self.add(&format!("{claim} {name}"), self.payload(claims.as_bytes()));
    }

    /// A token with these bytes for a payload.
    fn payload(&self, payload: &[u8]) -> String {
        let p256 = &self.setting.p256;
        p256.token_of(p256.header().to_string().as_bytes(), payload)
    }

    /// A good token with another field in its header.
    fn header(&mut self, name: &str, field: &str, value: Value) {
        let p256 = &self.setting.p256;
        let token = p256.token_with(&altered(p256.header(), field, value), &self.claims());
        self.add(&format!("{field} {name}"), token);
    }
}
