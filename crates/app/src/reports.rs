//! Final consumption reports: what a device measured while it was somebody's.
//!
//! When a device changes hands, the use case that writes the ownership record asks for [`facts`] in the
//! same transaction and stores them with the record, as text. What people and machines read is
//! rendered from that text, outside of any transaction and as often as needed: later readings do not
//! change a report that was given out.

mod facts;
mod find;
mod gather;

pub use facts::{DailyConsumption, ReportFacts};
pub use find::{Report, find};
pub use gather::{facts, facts_of};

use weir_domain::{OwnershipId, ResellerId};

/// Where the report of a record is kept, without the extension that tells its format.
pub fn path(reseller: ResellerId, record: OwnershipId) -> String {
    format!("{}/{record}", folder(reseller))
}

/// Where all reports of a reseller lie.
pub fn folder(reseller: ResellerId) -> String {
    format!("reports/{reseller}")
}
