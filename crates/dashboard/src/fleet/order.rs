//! In which order the fleet is shown.

use weir_store::{DeviceOrder, DeviceSort};

use super::filter::Filter;
use crate::text::fleet as text;

/// What devices can be ordered by: the word in addresses, and whether the highest come first when it is
/// asked for the first time.
const SORTS: [(&str, DeviceSort, bool); 6] = [
    ("name", DeviceSort::Name, false),
    ("dev_eui", DeviceSort::Eui, false),
    ("customer", DeviceSort::Customer, false),
    ("battery", DeviceSort::Battery, false),
    ("last_reading", DeviceSort::LastReading, true),
    ("created", DeviceSort::Created, true),
];

/// Reads the word of an order; a hyphen before it turns it round.
pub fn parse(word: &str) -> Option<DeviceOrder> {
    let (name, is_descending) = match word.strip_prefix('-') {
        Some(name) => (name, true),
        None => (word, false),
    };
    let (_, by, _) = SORTS.into_iter().find(|(known, ..)| *known == name)?;
    Some(DeviceOrder { by, is_descending })
}

fn word(order: DeviceOrder) -> String {
    let found = SORTS.into_iter().find(|(_, by, _)| *by == order.by);
    let name = found.map_or("", |(name, ..)| name);
    format!("{}{name}", if order.is_descending { "-" } else { "" })
}

/// The head of a column.
pub struct Head {
    /// What the column is called.
    pub label: &'static str,
    /// Whether there are numbers in it.
    pub is_amount: bool,
    /// The address of the same list in the order of this column, or in the other one if it is in that.
    pub address: Option<String>,
    /// The way it is ordered by this column, as browsers are told.
    pub sorted: Option<&'static str>,
}

/// The heads of the list's columns.
pub fn heads(filter: &Filter, order: DeviceOrder) -> Vec<Head> {
    let plain = |label, is_amount| Head { label, is_amount, address: None, sorted: None };
    let sorting = |label, is_amount, by| {
        let is_here = order.by == by;
        let highest_first = SORTS.iter().any(|(_, known, first)| *known == by && *first);
        let is_descending = if is_here { !order.is_descending } else { highest_first };
        let next = DeviceOrder { by, is_descending };
        let sort = if next == DeviceOrder::default() { String::new() } else { word(next) };
        let way = if order.is_descending { "descending" } else { "ascending" };
        Head {
            label,
            is_amount,
            address: Some(Filter { sort, ..filter.clone() }.address("/devices")),
            sorted: is_here.then_some(way),
        }
    };
    vec![
        sorting(text::NAME, false, DeviceSort::Name),
        sorting(text::DEV_EUI, false, DeviceSort::Eui),
        plain(text::STATUS, false),
        sorting(text::CUSTOMER, false, DeviceSort::Customer),
        plain(text::METER_VALUE, true),
        plain(text::TREND, false),
        sorting(text::BATTERY, true, DeviceSort::Battery),
        sorting(text::LAST_READING, false, DeviceSort::LastReading),
        sorting(text::REGISTERED, false, DeviceSort::Created),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for (_, by, _) in SORTS {
            for is_descending in [false, true] {
                let order = DeviceOrder { by, is_descending };
                assert_eq!(parse(&word(order)), Some(order));
            }
        }
        for wrong in ["", "-", "Name", "--name", "name-", "key"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn heads_lead_to_their_order_and_back() {
        let filter = Filter { search: "a b".into(), sort: "name".into(), ..Filter::default() };
        let order = filter.query().unwrap().order;
        let ways: Vec<_> = heads(&filter, order)
            .into_iter()
            .filter_map(|head| Some((head.address?, head.sorted)))
            .collect();
        let of = |sort: &str| format!("/devices?search=a+b{sort}");
        assert_eq!(ways[0], (of("&sort=-name"), Some("ascending")));
        assert_eq!(ways[1], (of("&sort=dev_eui"), None));
        assert_eq!(ways[4], (of("&sort=-last_reading"), None));
        assert_eq!(ways[5], (of(""), None));
        let newest = heads(&Filter::default(), DeviceOrder::NEWEST_FIRST);
        let last = newest.last().unwrap();
        assert_eq!(last.address.as_deref(), Some("/devices?sort=created"));
        assert_eq!(last.sorted, Some("descending"));
    }
}
