//! A new field comes with its rows.

use std::collections::BTreeSet;

use serde_json::Value;

use super::table::Place;
use super::tables;
use crate::support::*;

/// Fields whose tables are the tests of ingestion: payloads have a form of their own.
const TESTED_APART: &[&str] = &["POST /api/v1/ingest/water-consumption"];

/// The fields of a schema, and of the elements of its lists, as tables write them.
fn fields(schema: &Value, before: &str, found: &mut BTreeSet<String>) {
    let schemas = schemas();
    let name = |reference: &str| reference.rsplit('/').next().unwrap().to_owned();
    let schema = match schema["$ref"].as_str() {
        Some(reference) => schemas[&name(reference)].clone(),
        None => schema.clone(),
    };
    for (field, described) in schema["properties"].as_object().into_iter().flatten() {
        found.insert(format!("{before}{field}"));
        if described["items"].is_object() {
            fields(&described["items"], &format!("{before}{field}/0/"), found);
        }
    }
}

#[test]
fn every_field_has_its_rows() {
    let tables = tables();
    let mut missing = Vec::new();
    let mut count = 0;
    for operation in operations() {
        if TESTED_APART.contains(&operation.name.as_str()) {
            continue;
        }
        let name = unnamed(&operation.name);
        let tested = |place: Place| -> BTreeSet<&str> {
            let of = tables.iter().filter(|table| unnamed(table.operation) == name);
            of.filter(|table| table.place == place).flat_map(|table| table.fields()).collect()
        };
        let body = &operation.described["requestBody"]["content"]["application/json"]["schema"];
        let mut in_body = BTreeSet::new();
        fields(body, "", &mut in_body);
        assert!(body.is_null() || !in_body.is_empty(), "{}", operation.name);
        let in_query = operation.parameters("query").into_iter().map(str::to_owned);
        for (place, fields) in [(Place::Body, in_body), (Place::Query, in_query.collect())] {
            count += fields.len();
            let tested = tested(place);
            let untested = fields.iter().filter(|field| !tested.contains(field.as_str()));
            missing.extend(untested.map(|field| format!("{}: {place:?} {field}", operation.name)));
        }
    }
    assert!(missing.is_empty(), "add rows to the tables for {missing:#?}");
    assert!(count > 60, "{count}");
}
