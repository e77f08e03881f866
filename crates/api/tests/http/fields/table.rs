//! A table of what an operation says to values of its fields.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use serde_json::{Value, json};
use weir_testkit::app::{Actor, Answer};

use crate::support::*;

/// What is told of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It fits: the answer is that of the good request.
    Fits,
    /// It does not fit its schema; the error names the field.
    Schema,
    /// The same, where the error names this place below the field.
    SchemaAt(&'static str),
    /// It fits its schema and makes no sense: 400 with this code, and the error names the field.
    Odd(&'static str),
    /// The same, where the error names this place below the field.
    OddAt(&'static str, &'static str),
    /// It fits, and what it refers to is refused.
    Refused(u16, &'static str),
}

use Told::{Fits, Odd, OddAt, Refused, Schema, SchemaAt};

/// A field (of a body, as a pointer without its first slash), its value or none, and what is told.
type Row = (&'static str, Option<Value>, Told);

/// Where the fields of a table stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Body,
    Query,
}

/// An operation, a good request, and what comes of changing one field of it.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its method and path; names in braces stand for [`Belongings`], in values too.
    pub operation: &'static str,
    pub place: Place,
    /// A request that fits.
    pub good: Value,
    fits: Told,
    rows: Vec<Row>,
}

impl Table {
    /// A table of the fields of a body.
    pub fn of_body(operation: &'static str, good: Value) -> Self {
        Self { operation, place: Place::Body, good, fits: Fits, rows: Vec::new() }
    }

    /// A table of the parameters of a query; a good request has none.
    pub fn of_query(operation: &'static str) -> Self {
        Self { place: Place::Query, ..Self::of_body(operation, json!({})) }
    }

    /// Says that even the good request is refused for what it refers to.
    pub fn answered(self, status: u16, code: &'static str) -> Self {
        Self { fits: Refused(status, code), ..self }
    }

    /// Adds a row for each of these values.
    pub fn rows<V: Into<Value>>(
        mut self,
        field: &'static str,
        told: Told,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.rows.extend(values.into_iter().map(|value| (field, Some(value.into()), told)));
        self
    }

    /// Adds the row for a field that is left out.
    pub fn absent(mut self, field: &'static str, told: Told) -> Self {
        self.rows.push((field, None, told));
        self
    }

    /// The fields that have rows.
    pub fn fields(&self) -> BTreeSet<&'static str> {
        self.rows.iter().map(|row| row.0).collect()
    }

    /// Asks everything that the table says.
    pub async fn check(&self, actor: &Actor, own: &Belongings) {
        self.expect(actor, own, &self.good, Fits, &[]).await;
        let odd = with(self.good.clone(), "/unknown", json!("\u{1f4a7}"));
        self.expect(actor, own, &odd, Fits, &[]).await;
        for (field, value, told) in &self.rows {
            let request = match field.is_empty() {
                true => value.clone().unwrap(),
                false => with(self.good.clone(), &format!("/{field}"), value.clone()),
            };
            self.expect(actor, own, &request, *told, &[field]).await;
        }
        self.check_together(actor, own).await;
    }

    /// Where several fields do not fit, all are named; where others only make no sense, the schema
    /// comes first.
    async fn check_together(&self, actor: &Actor, own: &Belongings) {
        let of = |wanted: fn(&Told) -> bool| -> BTreeMap<&'static str, Value> {
            let rows = self.rows.iter().filter(|row| wanted(&row.2) && !row.0.is_empty());
            rows.filter_map(|(field, value, _)| Some((*field, value.clone()?))).collect()
        };
        let bad = of(|told| *told == Schema);
        let bad: BTreeMap<_, _> =
            bad.into_iter().filter(|(field, _)| !field.contains('/')).collect();
        let put = |request: Value, (field, value): (&&str, &Value)| {
            with(request, &format!("/{field}"), value.clone())
        };
        if !bad.is_empty() {
            let all = bad.iter().fold(self.good.clone(), put);
            let fields: Vec<&str> = bad.keys().copied().collect();
            self.expect(actor, own, &all, Schema, &fields).await;
        }
        for odd in of(|told| matches!(told, Odd(_))) {
            for bad in bad.iter().filter(|(field, _)| !odd.0.starts_with(**field)) {
                let both = put(put(self.good.clone(), (&odd.0, &odd.1)), bad);
                self.expect(actor, own, &both, Schema, &[bad.0]).await;
            }
        }
    }

    async fn expect(
        &self,
        actor: &Actor,
        own: &Belongings,
        request: &Value,
        told: Told,
        fields: &[&str],
    ) {
        let answer = self.ask(actor, own, request).await;
        let at = |below: &str| -> BTreeSet<String> {
            let place = if self.place == Place::Body { "body" } else { "query" };
            let way = |field: &&str| match field.is_empty() {
                true => format!("{place}{below}"),
                false => format!("{place}.{}{below}", field.replace('/', ".")),
            };
            fields.iter().map(way).collect()
        };
        let schema = "SCHEMA_VALIDATION_ERROR";
        let (status, code, locs) = match if told == Fits { self.fits } else { told } {
            Fits => (200, "", None),
            Refused(status, code) => (status, code, None),
            Schema => (422, schema, Some(at(""))),
            SchemaAt(below) => (422, schema, Some(at(below))),
            Odd(code) => (400, code, Some(at(""))),
            OddAt(code, below) => (400, code, Some(at(below))),
        };
        let mut shown = request.to_string();
        shown.truncate(shown.floor_char_boundary(300));
        let context = format!("{} {shown}", self.operation);
        assert_eq!(answer.status, status, "{context}\n{}", String::from_utf8_lossy(&answer.body));
        if status != 200 {
            assert_eq!(answer.json()["error_code"], code, "{context}\n{}", answer.json());
        }
        if let Some(locs) = locs {
            assert_eq!(named(&answer), locs, "{context}");
        }
    }

    async fn ask(&self, actor: &Actor, own: &Belongings, request: &Value) -> Answer {
        let (method, path) = self.operation.split_once(' ').unwrap();
        let (method, path) = (method.parse().unwrap(), own.fill(path));
        match self.place {
            Place::Body => {
                let body = own.fill(&request.to_string());
                actor.send(method, &path, Some("application/json"), Body::from(body)).await
            }
            Place::Query => {
                let fields = request.as_object().unwrap().iter();
                let pair = |(name, value): (&String, &Value)| {
                    format!("{name}={}", encoded(&own.fill(value.as_str().unwrap())))
                };
                let query = fields.map(pair).collect::<Vec<_>>().join("&");
                actor.ask(method, &format!("{path}?{query}")).await
            }
        }
    }
}

/// The places that an error names.
fn named(answer: &Answer) -> BTreeSet<String> {
    let step = |step: &Value| step.as_str().map_or_else(|| step.to_string(), str::to_owned);
    let dotted = |loc: &Value| {
        let steps: Vec<String> = loc.as_array().unwrap().iter().map(step).collect();
        steps.join(".")
    };
    each(&answer.json()["details"]["errors"], "loc").iter().map(dotted).collect()
}

/// A text as a query holds it.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}
