//! This service as a client of a provider.

use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse,
    BasicTokenIntrospectionResponse, BasicTokenType,
};
use oauth2::{
    AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet,
    ExtraTokenFields, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope,
    StandardRevocableToken, StandardTokenResponse,
};
use serde::{Deserialize, Serialize};
use url::Url;

use super::SocialError;
use super::endpoints::Endpoints;
use super::flow::Flow;
use super::http::{self, NoAnswer};
use crate::issuer::SignIn;

/// What a provider gives for a code, beside what is of no use here.
#[derive(Serialize, Deserialize)]
struct Vouched {
    id_token: Option<String>,
}

impl ExtraTokenFields for Vouched {}

/// Tokens are for nobody's eyes.
impl std::fmt::Debug for Vouched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vouched(…)")
    }
}

type Tokens = StandardTokenResponse<Vouched, BasicTokenType>;

type CodeClient = Client<
    BasicErrorResponse,
    Tokens,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// This service on a visit to a provider.
pub(super) struct Visit<'a> {
    provider: &'a str,
    sign_in: &'a SignIn,
    client: CodeClient,
    http: &'a reqwest::Client,
}

impl<'a> Visit<'a> {
    /// A visit to those endpoints, which send people back to the callback.
    pub fn new(
        provider: &'a str,
        sign_in: &'a SignIn,
        callback: &RedirectUrl,
        http: &'a reqwest::Client,
        endpoints: &Endpoints,
    ) -> Self {
        let mut client = Client::new(ClientId::new(sign_in.client_id.clone()))
            .set_auth_uri(endpoints.authorization.clone())
            .set_token_uri(endpoints.token.clone())
            .set_auth_type(endpoints.auth.clone())
            .set_redirect_uri(callback.clone());
        if let Some(secret) = &sign_in.client_secret {
            client = client.set_client_secret(ClientSecret::new(secret.reveal().to_owned()));
        }
        Self { provider, sign_in, client, http }
    }

    /// Where a browser goes to sign in.
    pub fn authorization(&self, state: String, flow: &Flow) -> Url {
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&verifier(flow));
        let scopes = self.sign_in.scopes.iter().cloned().map(Scope::new);
        let request = self.client.authorize_url(|| CsrfToken::new(state)).add_scopes(scopes);
        let request = request.set_pkce_challenge(challenge).add_extra_param("nonce", &flow.nonce);
        request.url().0
    }

    /// The ID token that a code is worth.
    pub async fn exchange(&self, code: &str, flow: &Flow) -> Result<String, SocialError> {
        let code = AuthorizationCode::new(code.to_owned());
        let request = self.client.exchange_code(code).set_pkce_verifier(verifier(flow));
        let send = |request| http::send(self.http.clone(), request);
        let tokens = request.request_async(&send).await.map_err(|error| self.refused(&error))?;
        tokens.extra_fields().id_token.clone().ok_or(SocialError::NotVouchedFor)
    }

    /// Whose fault it is. What a provider answers may hold tokens, so that none of it is written down but
    /// the name of a known error.
    fn refused(&self, error: &RequestTokenError<NoAnswer, BasicErrorResponse>) -> SocialError {
        use BasicErrorResponseType as Kind;
        let provider = self.provider;
        match error {
            RequestTokenError::ServerResponse(response) => match response.error() {
                kind @ (Kind::InvalidClient
                | Kind::UnauthorizedClient
                | Kind::UnsupportedGrantType) => {
                    tracing::warn!(provider, %kind, "a provider does not take us for its client");
                    SocialError::Unreachable
                }
                Kind::Extension(kind)
                    if kind == "server_error" || kind == "temporarily_unavailable" =>
                {
                    tracing::warn!(provider, kind, "a provider cannot exchange a code");
                    SocialError::Unreachable
                }
                _ => SocialError::NotVouchedFor,
            },
            RequestTokenError::Request(error) => {
                tracing::warn!(provider, %error, "a provider cannot be asked for tokens");
                SocialError::Unreachable
            }
            RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
                tracing::warn!(
                    provider,
                    "a provider answers a code with something else than tokens"
                );
                SocialError::Unreachable
            }
        }
    }
}

fn verifier(flow: &Flow) -> PkceCodeVerifier {
    PkceCodeVerifier::new(flow.verifier.clone())
}
