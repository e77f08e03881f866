//! How it is asked for: the HTTP interface.
//!
//! # The contract
//!
//! A success is 200 with [`envelope::Success`]; everything else is an [`error::ApiError`], from
//! whatever layer it comes. Nothing under `/api/v1` is answered before the [`guard`] has let the
//! request in. Requests are read by [`fields`], so that an error names every field that does not fit.
//! The document at `/openapi.json` is made from the handlers: what is not in it is not routed.
//!
//! # To add an operation
//!
//! One file, named after the verb, in the folder of its noun:
//!
//! 1. The request: a type for the body that derives `ToSchema` and implements [`body::FromBody`], and
//!    one for the query that derives `IntoParams` and implements [`query::FromQuery`]. Devices in the
//!    path are [`path::DevicePath`] or [`path::EuiPath`].
//! 2. The response: a type that derives `Serialize` and `ToSchema`, with an example for each field.
//! 3. The handler with its `#[utoipa::path]`: see [`openapi`] for what it says and what it leaves out.
//!    It opens one transaction, calls one use case of `weir-app`, and shows the result.
//! 4. One line in [`router`].
//! 5. Its row in `tests/http/strangers/table.rs`: what another reseller gets. A test fails without it.
//! 6. Its tests through the whole router, in `tests/http`, and `make openapi`.

mod around;
pub mod auth;
pub mod body;
pub mod cors;
pub mod customers;
pub mod devices;
mod encoding;
pub mod end_users;
pub mod envelope;
pub mod error;
mod failure;
pub mod fields;
pub mod guard;
pub mod headers;
pub mod health;
pub mod ingest;
pub mod me;
pub mod members;
pub mod openapi;
mod pages;
pub mod paging;
pub mod path;
mod percent;
pub mod query;
pub mod request_id;
pub mod reseller;
mod router;
pub mod sign_in;
pub mod source;
mod state;
pub mod streamed;
#[cfg(test)]
mod testing;
pub mod unregistered;

pub use failure::ErrorPage;
pub use router::{Beside, router};
pub use state::Service;
