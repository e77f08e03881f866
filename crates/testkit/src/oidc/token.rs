//! A token of the provider's, fetched without any help of the service.

use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use url::{Url, form_urlencoded};

use super::{Browser, CLIENT_SECRET, Provider};

/// A verifier and its challenge; both are from the standard's own example.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// Signs someone in for a client and exchanges the code, by the header that most providers want.
pub async fn ask(provider: &Provider, client: &str, name: &str) -> String {
    let (issuer, redirect_uri) = (provider.issuer(), provider.redirect_uri.as_str());
    let authorization = Url::parse_with_params(
        &format!("{issuer}/auth"),
        [
            ("client_id", client),
            ("response_type", "code"),
            ("scope", "openid email"),
            ("redirect_uri", redirect_uri),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
        ],
    );
    let authorization = authorization.unwrap_or_else(|error| panic!("{issuer}: {error}"));
    let back = Browser::new().sign_in(authorization.as_str(), name).await;
    let code = back.query_pairs().find(|it| it.0 == "code").map(|it| it.1.into_owned());
    let code = code.unwrap_or_else(|| panic!("no code: {back}"));
    let form = form([
        ("grant_type", "authorization_code"),
        ("code", &code),
        ("redirect_uri", redirect_uri),
        ("code_verifier", VERIFIER),
    ]);
    let client = reqwest::Client::new()
        .post(format!("{issuer}/token"))
        .basic_auth(encoded(client), Some(encoded(CLIENT_SECRET)))
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = client.body(form).send().await;
    let answer = answer.unwrap_or_else(|error| panic!("{issuer}: {error}"));
    let answer = answer.text().await.unwrap_or_default();
    let tokens: Value = serde_json::from_str(&answer).unwrap_or_default();
    let token = tokens["id_token"].as_str().unwrap_or_else(|| panic!("no token: {answer}"));
    token.to_owned()
}

fn form<const N: usize>(fields: [(&str, &str); N]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
