//! Signing in at a real provider, up to the person that comes of it.

mod flows;
mod misbehaviour;
mod support;
