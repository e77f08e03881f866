//! Query strings.

use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use http::request::Parts;

use crate::error::ApiError;
use crate::fields::{Fields, Place, Problems, Source};
use crate::percent;

/// The parameters of a query string; of a repeated one the last counts.
#[derive(Debug, Default)]
pub struct Parameters(BTreeMap<String, String>);

/// The fields of a query string.
pub type QueryFields<'a> = Fields<'a, Parameters>;

/// A request type that reads itself from a query string. See [`fields`](crate::fields) for how.
pub trait FromQuery: Sized {
    /// Asks for every parameter, then builds the request.
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self>;
}

/// Two sets of parameters side by side, such as filters and a page.
impl<A: FromQuery, B: FromQuery> FromQuery for (A, B) {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let (first, second) = (A::from_query(fields), B::from_query(fields));
        first.zip(second)
    }
}

/// What a request asks for in its query string. Unknown parameters are ignored.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: FromQuery> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let refuse = |problems: Problems| problems.into_error(Place::Query);
        let parameters = Parameters::parse(parts.uri.query().unwrap_or("")).map_err(refuse)?;
        Fields::read(&parameters, T::from_query).map(Self).map_err(refuse)
    }
}

impl Parameters {
    /// Reads a query string.
    pub fn parse(query: &str) -> Result<Self, Problems> {
        let mut parameters = BTreeMap::new();
        let mut problems = Problems::default();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match (decode(name), decode(value)) {
                (Some(name), Some(value)) => {
                    parameters.insert(name, value);
                }
                (Some(name), None) => problems.extend(Problems::from("is not UTF-8").below(&name)),
                (None, _) => problems.extend("has a parameter whose name is not UTF-8".into()),
            }
        }
        if problems.is_empty() { Ok(Self(parameters)) } else { Err(problems) }
    }
}

impl Source for Parameters {
    type Item = str;

    fn item(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// Undoes the encoding of forms, where `+` is a space.
fn decode(text: &str) -> Option<String> {
    percent::decode(&text.replace('+', " "))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use serde_json::json;

    use super::*;
    use crate::fields::text;
    use crate::paging::PageQuery;
    use crate::testing::{ask, request};

    struct Search {
        text: Option<String>,
        days: i64,
    }

    impl FromQuery for Search {
        fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
            let text = fields.optional("search", text::any(20));
            let days = fields.optional("days", text::integer(1..=365)).unwrap_or(30);
            fields.optional("is_principal", text::boolean);
            Some(Self { text, days })
        }
    }

    async fn answer(query: &str) -> crate::testing::Answer {
        let search =
            async |Query(search): Query<Search>| format!("{:?} {}", search.text, search.days);
        let app = Router::new().route("/search", get(search));
        ask(app, request(&format!("GET /search{query}")).empty()).await
    }

    #[tokio::test]
    async fn parameters_are_decoded() {
        for (query, read) in [
            ("", "None 30"),
            ("?", "None 30"),
            ("?days=7&&days=8&unknown=%20", "None 8"),
            ("?search=a%20b+c%2B%C3%BC&days=1", "Some(\"a b c+ü\") 1"),
            ("?search", "Some(\"\") 30"),
            ("?search=50%&days=2", "Some(\"50%\") 2"),
            ("?search=%zz%4", "Some(\"%zz%4\") 30"),
            ("?%73earch=x=y", "Some(\"x=y\") 30"),
        ] {
            assert_eq!(answer(query).await.text(), read, "{query}");
        }
    }

    #[tokio::test]
    async fn every_offending_parameter_is_named() {
        let answer = answer("?days=0&is_principal=maybe&search=012345678901234567890").await;
        assert_eq!((answer.status, answer.code()), (422, "SCHEMA_VALIDATION_ERROR"));
        let locs: Vec<_> = answer.errors().iter().map(|error| error["loc"][1].clone()).collect();
        assert_eq!(locs, ["search", "days", "is_principal"]);
        assert_eq!(answer.errors()[1]["message"], "must be from 1 to 365");
    }

    #[test]
    fn two_sets_of_parameters_are_read_as_one() {
        let read = |query| {
            let parameters = Parameters::parse(query).unwrap();
            Fields::read(&parameters, <(PageQuery, Search)>::from_query)
        };
        let (page, search) = read("days=3&limit=2").unwrap();
        assert_eq!((page.limit, search.days), (2, 3));
        let refused = read("days=0&limit=0").err().unwrap().into_error(Place::Query);
        assert_eq!(refused.details()["errors"].as_array().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn an_empty_value_of_a_typed_parameter_does_not_fit() {
        for query in ["?days=", "?days", "?is_principal=", "?days=%201", "?days=+1"] {
            assert_eq!(answer(query).await.status, 422, "{query}");
        }
    }

    #[tokio::test]
    async fn what_is_not_utf8_is_refused() {
        let named = answer("?other=%ff&search=%C3").await;
        assert_eq!(named.errors().len(), 2);
        assert_eq!(named.errors()[0]["loc"], json!(["query", "other"]));
        assert_eq!(answer("?%ff=1").await.errors()[0]["loc"], json!(["query"]));
    }
}
