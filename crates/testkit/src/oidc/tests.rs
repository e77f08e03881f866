//! The provider itself: that it demands what other tests rely upon.

use super::*;

const CALLBACK: &str = "http://weir.test/auth/test/callback";

fn authorization(provider: &Provider, more: &str) -> String {
    format!(
        "{}/auth?client_id=weir&response_type=code&scope=openid+email&state=s&nonce=n\
         &redirect_uri={CALLBACK}{more}",
        provider.issuer()
    )
}

fn parameter(url: &url::Url, name: &str) -> Option<String> {
    url.query_pairs().find(|(it, _)| it == name).map(|(_, value)| value.into_owned())
}

#[tokio::test]
async fn people_come_back_with_a_code_or_a_refusal_and_only_with_pkce() {
    let provider = Provider::start(CALLBACK).await;
    let challenge =
        "&code_challenge_method=S256&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let browser = Browser::new();
    let back = browser.sign_in(&authorization(&provider, challenge), "ada").await;
    assert!(back.as_str().starts_with(CALLBACK), "{back}");
    assert!(parameter(&back, "code").is_some(), "{back}");
    assert_eq!(parameter(&back, "state").as_deref(), Some("s"));

    let back = Browser::new().refuse(&authorization(&provider, challenge)).await;
    assert_eq!(parameter(&back, "error").as_deref(), Some("access_denied"));

    let back = browser.sign_in(&authorization(&provider, ""), "ada").await;
    assert_eq!(parameter(&back, "error").as_deref(), Some("invalid_request"));
}

#[tokio::test]
async fn keys_change_when_they_are_told_to() {
    let mut provider = Provider::start(CALLBACK).await;
    let url = format!("{}/jwks", provider.issuer());
    let keys = async || reqwest::get(&url).await.unwrap().text().await.unwrap();
    let before = keys().await;
    assert_eq!(before, keys().await);
    provider.rotate_keys().await;
    assert_ne!(before, keys().await);
    assert!(before.contains("RS256") && before.contains("ES256"), "{before}");
}
