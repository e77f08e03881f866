//! The fleet.

mod consumption;
mod find;
mod list;
mod register;

pub use consumption::{HISTORY_CHUNK, history_page};
pub use find::{DeviceRef, find, find_even_deleted};
pub use list::{DeviceInList, DeviceList, TREND_READINGS, list};
pub use register::{Registration, register};
