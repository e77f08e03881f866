//! The fields of a form.

use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use url::form_urlencoded;

use crate::problem::Problem;
use crate::text::problem as text;

/// How many characters of a field are read.
const LONGEST: usize = 2_000;

/// The fields of a form or a query, in the order in which they were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads `a=1&b=2`.
    pub fn parse(encoded: &[u8]) -> Self {
        Self(form_urlencoded::parse(encoded).into_owned().collect())
    }

    /// Reads the body of a request, be it with files or without. A file is a field with its content.
    pub(super) async fn receive(request: Request) -> Result<Self, Problem> {
        let content_type = request.headers().get(CONTENT_TYPE).map(|value| value.as_bytes());
        let has_files =
            content_type.is_some_and(|kind| kind.to_ascii_lowercase().starts_with(b"multipart/"));
        let unreadable = |status| match status {
            StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge,
            _ => Problem::Refused(text::UNREADABLE_FORM.to_owned()),
        };
        if !has_files {
            let body = Bytes::from_request(request, &()).await;
            let body = body.map_err(|refused| unreadable(refused.status()))?;
            return Ok(Self::parse(&body));
        }
        let parts = Multipart::from_request(request, &()).await;
        let mut parts = parts.map_err(|refused| unreadable(refused.status()))?;
        let broken = |error: MultipartError| unreadable(error.status());
        let mut fields = Vec::new();
        while let Some(part) = parts.next_field().await.map_err(broken)? {
            let name = part.name().unwrap_or_default().to_owned();
            let content = part.bytes().await.map_err(broken)?;
            fields.push((name, String::from_utf8_lossy(&content).into_owned()));
        }
        Ok(Self(fields))
    }

    /// A field as it was sent, up to more characters than any field takes; empty where it was not. What
    /// is longer is refused as it is, and is not to be shown again at length.
    pub fn text(&self, name: &str) -> &str {
        let whole = self.whole(name);
        let end = whole.char_indices().nth(LONGEST).map_or(whole.len(), |(end, _)| end);
        &whole[..end]
    }

    /// A field that may be long, as it was sent; empty where it was not.
    pub fn whole(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// A field without the space around it; none where nothing was filled in.
    pub fn filled(&self, name: &str) -> Option<&str> {
        Some(self.text(name).trim()).filter(|text| !text.is_empty())
    }

    /// All fields of that name: several boxes that were ticked.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |field| field.0 == name).map(|field| field.1.as_str())
    }

    /// Whether a box was ticked.
    pub fn is_ticked(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn fields_are_read_by_name() {
        let fields = Fields::parse(b"name=+M%C3%BCller+&id=1&id=2&box=on&empty=+");
        assert_eq!(fields.text("name"), " Müller ");
        assert_eq!(fields.filled("name"), Some("Müller"));
        assert_eq!(fields.filled("empty"), None);
        assert_eq!(fields.filled("absent"), None);
        assert_eq!(fields.all("id").collect::<Vec<_>>(), ["1", "2"]);
        assert!(fields.is_ticked("box") && !fields.is_ticked("absent"));
        let long = Fields::parse(format!("a={}", "ä".repeat(LONGEST + 1)).as_bytes());
        assert_eq!(long.text("a").chars().count(), LONGEST);
        assert_eq!(long.whole("a").chars().count(), LONGEST + 1);
    }

    #[tokio::test]
    async fn files_are_fields_with_their_content() {
        let body = "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n\
                    --x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\
                    Content-Type: text/csv\r\n\r\nname\nMain\n\r\n--x--\r\n";
        let request = Request::post("/").header(CONTENT_TYPE, "multipart/form-data; boundary=x");
        let fields = Fields::receive(request.body(Body::from(body)).unwrap()).await.unwrap();
        assert_eq!((fields.text("token"), fields.text("file")), ("abc", "name\nMain\n"));
        let cut = Request::post("/").header(CONTENT_TYPE, "multipart/form-data; boundary=x");
        assert!(Fields::receive(cut.body(Body::from(&body[..90])).unwrap()).await.is_err());
    }
}
