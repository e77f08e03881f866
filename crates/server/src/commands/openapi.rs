//! `weir openapi`

use crate::failure::Failure;
use crate::output;

/// Prints the OpenAPI document.
pub fn run() -> Result<(), Failure> {
    let text = weir_api::openapi::document().to_pretty_json();
    Ok(output::lines([text.map_err(|error| Failure::Said(error.to_string()))?])?)
}
