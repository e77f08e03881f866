//! Long lists, page by page.

use std::collections::BTreeMap;

use axum::extract::OriginalUri;
use axum::response::{IntoResponse, Response};
use http::header::LINK;
use http::{HeaderValue, Uri};
use serde::Serialize;
use utoipa::openapi::{Header, HeaderBuilder, RefOr};
use utoipa::{IntoParams, IntoResponses, PartialSchema, ToSchema};
use weir_store::Page;

use crate::envelope::{List, Success};
use crate::fields::text;
use crate::headers::TOTAL_COUNT;
use crate::query::{FromQuery, QueryFields};

/// The longest page; a larger limit counts as this one.
const LONGEST: i64 = 1000;
/// The length of a page where none is asked for.
const USUAL: i64 = 50;

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The most results to return, from 1; above 1000 counts as 1000.
    #[param(minimum = 1, default = 50, required = false)]
    pub limit: u32,
    /// How many results to pass over.
    #[param(minimum = 0, default = 0, required = false)]
    pub offset: u64,
}

impl FromQuery for PageQuery {
    fn from_query(fields: &mut QueryFields<'_>) -> Option<Self> {
        let limit = fields.optional("limit", text::integer(1..=i64::MAX)).unwrap_or(USUAL);
        let offset = fields.optional("offset", text::integer(0..=i64::MAX)).unwrap_or(0);
        Some(Self { limit: limit.min(LONGEST) as u32, offset: offset.unsigned_abs() })
    }
}

impl From<PageQuery> for Page {
    fn from(PageQuery { limit, offset }: PageQuery) -> Self {
        Self { limit, offset }
    }
}

/// One page of a list, with the number of all matches in `X-Total-Count` and the way to the pages
/// beside it in `Link`.
#[derive(Debug, Clone)]
pub struct Paged<T>(Success<List<T>>);

impl<T: Serialize + ToSchema> Paged<T> {
    /// The page of a list of `total` things that was asked for at `uri`.
    pub fn of(
        items: impl IntoIterator<Item = T>,
        total: u64,
        page: PageQuery,
        OriginalUri(uri): &OriginalUri,
    ) -> Self {
        let listed = Success::of(items.into_iter().collect());
        let listed = listed.with_header(TOTAL_COUNT, HeaderValue::from(total));
        Self(match links(total, page, uri) {
            Some(links) => listed.with_header(LINK, links),
            None => listed,
        })
    }
}

/// The relative references to the next and the previous page, where there are such.
fn links(total: u64, page: PageQuery, uri: &Uri) -> Option<HeaderValue> {
    let limit = u64::from(page.limit);
    let next = page.offset.saturating_add(limit);
    let mut links = Vec::new();
    if next < total {
        links.push(link("next", page.limit, next, uri));
    }
    if page.offset > 0 {
        // From beyond the end the previous page is the last that has anything.
        let previous = page.offset.min(total.saturating_add(limit - 1) / limit * limit);
        links.push(link("prev", page.limit, previous.saturating_sub(limit), uri));
    }
    (!links.is_empty()).then(|| HeaderValue::try_from(links.join(", ")).ok()).flatten()
}

fn link(relation: &str, limit: u32, offset: u64, uri: &Uri) -> String {
    let is_kept = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && name != "limit" && name != "offset"
    };
    let kept = uri.query().unwrap_or("").split('&').filter(is_kept).map(str::to_owned);
    let page = [format!("limit={limit}"), format!("offset={offset}")];
    let query: Vec<String> = kept.chain(page).collect();
    format!("<{}?{}>; rel=\"{relation}\"", uri.path(), query.join("&"))
}

impl<T: Serialize> IntoResponse for Paged<T> {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl<T: Serialize + ToSchema> IntoResponses for Paged<T> {
    fn responses() -> BTreeMap<String, RefOr<utoipa::openapi::Response>> {
        let header = |schema: RefOr<utoipa::openapi::Schema>, description: &str| -> Header {
            HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
        };
        let response = Success::<List<T>>::response()
            .description("A page of the list.")
            .header("X-Total-Count", header(u64::schema(), "The number of all matches."))
            .header("Link", header(String::schema(), "The next and the previous page (RFC 8288)."));
        BTreeMap::from([("200".to_owned(), response.into())])
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;

    use super::*;
    use crate::query::Query;
    use crate::testing::{Answer, ask, request};

    #[derive(Serialize, ToSchema)]
    struct Meter {
        number: u64,
    }

    async fn list(Query(page): Query<PageQuery>, uri: OriginalUri) -> Paged<Meter> {
        let numbers = (0..120).skip(page.offset as usize).take(page.limit as usize);
        Paged::of(numbers.map(|number| Meter { number }), 120, page, &uri)
    }

    async fn answer(query: &str) -> Answer {
        let app = Router::new().route("/meters", get(list));
        ask(app, request(&format!("GET /meters{query}")).empty()).await
    }

    async fn links(query: &str) -> String {
        answer(query).await.header("link").to_owned()
    }

    #[tokio::test]
    async fn a_page_says_how_many_there_are_and_where_the_next_is() {
        let first = answer("").await;
        assert_eq!(first.json()["data"].as_array().unwrap().len(), 50);
        assert_eq!(first.json()["data"][49]["number"], 49);
        assert_eq!(first.header("x-total-count"), "120");
        assert_eq!(first.header("link"), r#"</meters?limit=50&offset=50>; rel="next""#);
    }

    #[tokio::test]
    async fn other_parameters_stay_in_the_links() {
        assert_eq!(
            links("?search=a%20b&offset=30&limit=20&x").await,
            r#"</meters?search=a%20b&x&limit=20&offset=50>; rel="next", </meters?search=a%20b&x&limit=20&offset=10>; rel="prev""#
        );
    }

    #[tokio::test]
    async fn there_is_nothing_before_the_first_and_after_the_last() {
        assert_eq!(links("?limit=120").await, "");
        assert_eq!(
            links("?limit=50&offset=100").await,
            r#"</meters?limit=50&offset=50>; rel="prev""#
        );
        assert_eq!(
            links("?limit=50&offset=7").await,
            r#"</meters?limit=50&offset=57>; rel="next", </meters?limit=50&offset=0>; rel="prev""#
        );
        assert_eq!(
            links("?limit=50&offset=9223372036854775807").await,
            r#"</meters?limit=50&offset=100>; rel="prev""#
        );
    }

    #[tokio::test]
    async fn a_limit_beyond_the_longest_counts_as_the_longest() {
        for query in ["?limit=1000", "?limit=1001", "?limit=99999999999999999999"] {
            let answer = answer(query).await;
            assert_eq!(answer.json()["data"].as_array().unwrap().len(), 120, "{query}");
        }
    }

    #[tokio::test]
    async fn no_page_is_empty_on_purpose() {
        for query in ["?limit=0", "?limit=-1", "?offset=-1", "?limit=ten", "?limit=", "?offset=1.5"]
        {
            assert_eq!(answer(query).await.code(), "SCHEMA_VALIDATION_ERROR", "{query}");
        }
        assert_eq!(answer("?limit=0&offset=-1").await.errors().len(), 2);
    }
}
