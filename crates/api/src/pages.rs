//! The public pages: a sign of life, and the documentation.

mod documentation;
mod ping;

pub(crate) use documentation::documentation;
pub(crate) use ping::{__path_ping, ping};
