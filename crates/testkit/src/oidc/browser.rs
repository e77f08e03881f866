//! Someone at a browser, as far as an identity provider can tell: cookies, redirects and forms.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use url::{Url, form_urlencoded};

/// A browser with cookies of its own.
#[derive(Debug)]
pub struct Browser {
    client: Client,
    cookies: Mutex<BTreeMap<String, String>>,
}

impl Browser {
    /// A browser that has never been anywhere.
    pub fn new() -> Self {
        let client = Client::builder().redirect(Policy::none()).no_proxy().build();
        let client = client.unwrap_or_else(|error| panic!("no HTTP client: {error}"));
        Self { client, cookies: Mutex::default() }
    }

    /// Follows a link to the provider, signs in there under that name, and agrees to everything. Returns
    /// the address that the provider sends the browser to in the end, without going there.
    pub async fn sign_in(&self, authorization: &str, name: &str) -> Url {
        let mut stop = self.go(parse(authorization)).await;
        while let Stop::Form { action, prompt } = stop {
            let fields = [("prompt", prompt.as_str()), ("login", name), ("password", "any")];
            stop = self.submit(action, &fields).await;
        }
        stop.left()
    }

    /// Follows a link to the provider and refuses there.
    pub async fn refuse(&self, authorization: &str) -> Url {
        let Stop::Form { mut action, .. } = self.go(parse(authorization)).await else {
            panic!("the provider asked nothing");
        };
        action.set_path(&format!("{}/abort", action.path()));
        self.go(action).await.left()
    }

    async fn go(&self, url: Url) -> Stop {
        let request = self.client.get(url.clone());
        self.follow(url, request).await
    }

    async fn submit(&self, action: Url, fields: &[(&str, &str)]) -> Stop {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.client.post(action.clone()).body(form);
        self.follow(action, request.header(CONTENT_TYPE, "application/x-www-form-urlencoded")).await
    }

    /// Sends a request and follows where it leads, as far as that stays with the provider.
    async fn follow(&self, mut url: Url, mut request: RequestBuilder) -> Stop {
        loop {
            let answer = request.header(COOKIE, self.cookies()).send().await;
            let answer = answer.unwrap_or_else(|error| panic!("{url}: {error}"));
            for cookie in answer.headers().get_all(SET_COOKIE) {
                self.keep(cookie.to_str().unwrap_or_default());
            }
            let Some(location) = answer.headers().get(LOCATION) else {
                let page = answer.text().await.unwrap_or_default();
                return Stop::form(&url, &page)
                    .unwrap_or_else(|| panic!("{url} shows no form: {page}"));
            };
            let next = url.join(location.to_str().unwrap_or_default());
            let next = next.unwrap_or_else(|error| panic!("{url} leads to {location:?}: {error}"));
            if next.origin() != url.origin() {
                return Stop::Left(next);
            }
            request = self.client.get(next.clone());
            url = next;
        }
    }

    fn cookies(&self) -> String {
        let cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs: Vec<_> = cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    /// Keeps a cookie, or forgets one that is set to nothing. Paths and times do not matter here.
    fn keep(&self, cookie: &str) {
        let pair = cookie.split(';').next().unwrap_or_default();
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let mut cookies = self.cookies.lock().unwrap_or_else(PoisonError::into_inner);
        if value.is_empty() {
            cookies.remove(name);
        } else {
            cookies.insert(name.to_owned(), value.to_owned());
        }
    }
}

impl Default for Browser {
    fn default() -> Self {
        Self::new()
    }
}

/// Where a browser comes to rest.
enum Stop {
    /// At a form of the provider's.
    Form { action: Url, prompt: String },
    /// Before leaving for somewhere else.
    Left(Url),
}

impl Stop {
    fn form(at: &Url, page: &str) -> Option<Self> {
        let action = at.join(between(page, "action=\"", "\"")?).ok()?;
        let prompt = between(page, "name=\"prompt\" value=\"", "\"")?.to_owned();
        Some(Self::Form { action, prompt })
    }

    fn left(self) -> Url {
        match self {
            Self::Left(url) => url,
            Self::Form { action, .. } => panic!("the provider asks again: {action}"),
        }
    }
}

fn parse(url: &str) -> Url {
    Url::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}
