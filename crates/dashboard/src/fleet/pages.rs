//! A long list of devices, page by page.

use weir_app::devices::{self, DeviceList, DeviceQuery};
use weir_app::{AppResult, Env};
use weir_store::{Page, ReadTx};

use crate::forms::Fields;
use crate::text::fleet as text;

/// The page that an address asks for, from 1.
pub fn asked(fields: &Fields) -> u64 {
    fields.filled("page").and_then(|page| page.parse().ok()).unwrap_or(1).max(1)
}

/// Where one is in a list, and the ways on from there.
pub struct Pages {
    /// Which page this is, and of how many.
    pub here: String,
    /// Whether there are others.
    pub has_others: bool,
    /// The address of the one before.
    pub previous: Option<String>,
    /// The address of the one after.
    pub next: Option<String>,
}

impl Pages {
    /// The ways on from a page, where pages have these addresses.
    pub fn at(number: u64, last: u64, address: impl Fn(u64) -> String) -> Self {
        Self {
            here: text::page(number, last),
            has_others: last > 1,
            previous: (number > 1).then(|| address(number - 1)),
            next: (number < last).then(|| address(number + 1)),
        }
    }
}

/// A page of a list of devices.
pub struct Listed {
    /// Its devices.
    pub list: DeviceList,
    number: u64,
    last: u64,
}

impl Listed {
    /// Lists the page of that number; from beyond the end, the last one.
    pub fn read(
        tx: &mut dyn ReadTx,
        env: &Env,
        query: &DeviceQuery,
        (number, per_page): (u64, u32),
        include_consumption: bool,
    ) -> AppResult<Self> {
        let mut read = |number: u64| {
            let offset = (number - 1).saturating_mul(u64::from(per_page));
            // Where a store counts in signed numbers, nothing lies beyond their end either.
            let page = Page { limit: per_page, offset: offset.min(i64::MAX as u64) };
            devices::list(tx, env, query, page, include_consumption)
        };
        let list = read(number)?;
        let last = list.total.div_ceil(u64::from(per_page)).max(1);
        let list = if number > last { read(last)? } else { list };
        Ok(Self { list, number: number.min(last), last })
    }

    /// The ways on, where pages have these addresses.
    pub fn pages(&self, address: impl Fn(u64) -> String) -> Pages {
        Pages::at(self.number, self.last, address)
    }
}
