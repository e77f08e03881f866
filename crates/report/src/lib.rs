//! How reports look and where they lie.
//!
//! A report is made of facts that were stored with an ownership record
//! ([`ReportFacts`](weir_app::reports::ReportFacts)); the same facts always make the same bytes. They
//! are rendered behind the commit by [`Reports`], kept in an [`Archive`], and rendered again whenever
//! they are asked for and missing there. So an archive can be lost, moved or out of reach, and no
//! report is.
//!
//! To add a format: a variant of [`Format`] and a module that makes bytes of facts.

mod archive;
mod csv;
mod format;
mod pdf;
mod reports;
#[cfg(test)]
mod testing;

pub use archive::{Archive, ArchiveError, Bucket};
pub use csv::harmless;
pub use format::{Format, RenderError};
pub use reports::Reports;
