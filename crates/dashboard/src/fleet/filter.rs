//! Which devices of the fleet are shown, and in which order.

use std::str::FromStr;

use url::form_urlencoded;
use uuid::Uuid;
use weir_app::devices::DeviceQuery;
use weir_domain::CustomerId;
use weir_domain::first_seen::FirstSeen;
use weir_store::CustomerFilter;

use super::order;
use crate::forms::Fields;

/// How many characters of a field are kept: one more than anything that means something has, so that
/// pages, whose links repeat them, stay small.
const LONGEST: usize = MOST_SEARCHED + 1;

/// How many characters can be searched for.
const MOST_SEARCHED: usize = 255;

/// The word for devices of no customer.
pub const UNASSOCIATED: &str = "unassociated";

/// The fields of the filter as they were filled in; what is empty is not asked for. They are called as
/// in the API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// A part of EUI or names.
    pub search: String,
    /// `online`, `offline` or `maintenance`.
    pub status: String,
    /// A customer's id, or `unassociated`.
    pub customer: String,
    /// `assigned` or `unassigned`.
    pub user: String,
    /// `today`, `week`, `month` or a date.
    pub first_seen: String,
    /// `true` or `false`.
    pub is_principal: String,
    /// The word of an order; newest first where it is empty.
    pub sort: String,
}

/// A field whose word means nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misunderstood {
    /// The field.
    pub field: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl Filter {
    /// Reads it from the query of an address. A date of one's own choice has a field of its own, whose
    /// word counts.
    pub fn of(fields: &Fields) -> Self {
        let text = |name| fields.filled(name).unwrap_or_default().chars().take(LONGEST).collect();
        Self {
            search: text("search"),
            status: text("status"),
            customer: text("customer"),
            user: text("user"),
            first_seen: match fields.filled("since") {
                Some(_) => text("since"),
                None => text("first_seen"),
            },
            is_principal: text("is_principal"),
            sort: text("sort"),
        }
    }

    /// The devices that are asked for.
    pub fn query(&self) -> Result<DeviceQuery, Misunderstood> {
        Ok(DeviceQuery {
            is_principal: read("is_principal", &self.is_principal, |text| match text {
                "true" => Ok(true),
                "false" => Ok(false),
                _ => Err("must be true or false".into()),
            })?,
            customers: read("customer", &self.customer, customer)?.into_iter().collect(),
            is_assigned: read("user", &self.user, |text| match text {
                "assigned" => Ok(true),
                "unassigned" => Ok(false),
                _ => Err("must be assigned or unassigned".into()),
            })?,
            first_seen: read("first_seen", &self.first_seen, parsed::<FirstSeen>)?,
            search: read("search", &self.search, searched)?,
            status: read("status", &self.status, parsed)?,
            order: read("sort", &self.sort, |text| {
                order::parse(text).ok_or_else(|| "must be the name of a column".into())
            })?
            .unwrap_or_default(),
        })
    }

    /// Whether anything is asked for: else the whole fleet is meant.
    pub fn is_empty(&self) -> bool {
        *self == self.cleared()
    }

    /// The whole fleet in the same order.
    pub fn cleared(&self) -> Self {
        Self { sort: self.sort.clone(), ..Self::default() }
    }

    /// The day of one's own choice since which devices were first seen; empty where there is none.
    pub fn since(&self) -> &str {
        match self.first_seen.as_str() {
            "today" | "week" | "month" => "",
            date => date,
        }
    }

    /// The address of what it shows, at a path.
    pub fn address(&self, path: &str) -> String {
        match self.words() {
            empty if empty.is_empty() => path.to_owned(),
            query => format!("{path}?{query}"),
        }
    }

    /// The same as the query of an address.
    pub fn words(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.pairs().into_iter().filter(|(_, value)| !value.is_empty()));
        query.finish()
    }

    /// The fields with what they hold.
    pub fn pairs(&self) -> [(&'static str, &str); 7] {
        [
            ("search", self.search.as_str()),
            ("status", &self.status),
            ("customer", &self.customer),
            ("user", &self.user),
            ("first_seen", &self.first_seen),
            ("is_principal", &self.is_principal),
            ("sort", &self.sort),
        ]
    }
}

fn read<T>(
    field: &'static str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, Misunderstood> {
    if text.is_empty() {
        return Ok(None);
    }
    parse(text).map(Some).map_err(|reason| Misunderstood { field, reason })
}

fn parsed<T: FromStr<Err: ToString>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn searched(text: &str) -> Result<String, String> {
    match text.chars().nth(MOST_SEARCHED) {
        Some(_) => Err(format!("must have at most {MOST_SEARCHED} characters")),
        None => Ok(text.to_owned()),
    }
}

fn customer(text: &str) -> Result<CustomerFilter, String> {
    if text == UNASSOCIATED {
        return Ok(CustomerFilter::Unassociated);
    }
    let id = Uuid::try_parse(text).map_err(|_| "must be a customer or unassociated")?;
    Ok(CustomerFilter::Of(CustomerId::from_uuid(id)))
}

#[cfg(test)]
mod tests {
    use weir_domain::Status;
    use weir_store::{DeviceOrder, DeviceSort};

    use super::*;

    #[test]
    fn what_is_empty_is_not_asked_for() {
        let filter = Filter::of(&Fields::parse(b"search=++&status=&since="));
        let query = filter.query().unwrap();
        assert_eq!((query.search, query.status, query.is_assigned), (None, None, None));
        assert!(filter.is_empty());
        assert_eq!(filter.address("/devices"), "/devices");
    }

    #[test]
    fn every_field_is_read() {
        let id = Uuid::from_u128(7);
        let filter = Filter::of(&Fields::parse(
            format!(
                "search=+a%26b+&status=offline&customer={id}&user=unassigned&first_seen=week\
                 &since=2026-03-01&is_principal=true&sort=-name"
            )
            .as_bytes(),
        ));
        let query = filter.query().unwrap();
        assert_eq!(query.search.as_deref(), Some("a&b"));
        assert_eq!(query.status, Some(Status::Offline));
        assert_eq!(query.customers, [CustomerFilter::Of(CustomerId::from_uuid(id))]);
        assert_eq!((query.is_assigned, query.is_principal), (Some(false), Some(true)));
        assert!(query.first_seen.is_some());
        assert_eq!(filter.since(), "2026-03-01");
        assert_eq!(query.order, DeviceOrder { by: DeviceSort::Name, is_descending: true });
        let address = filter.address("/devices");
        assert!(address.starts_with("/devices?search=a%26b&status=offline&"), "{address}");
        assert!(address.ends_with("&is_principal=true&sort=-name"), "{address}");
    }

    #[test]
    fn what_is_too_long_is_cut_and_told() {
        let long = "ä".repeat(100_000);
        let query = format!("search={long}&status={long}&since={long}&sort={long}");
        let filter = Filter::of(&Fields::parse(query.as_bytes()));
        assert!(filter.address("/devices").len() < 8_000);
        assert!(filter.query().is_err());
        let kept = Filter { search: "ä".repeat(255), ..Filter::default() };
        assert!(kept.query().is_ok());
    }

    #[test]
    fn an_order_alone_means_the_whole_fleet() {
        let filter = Filter { sort: "name".into(), ..Filter::default() };
        assert!(filter.is_empty());
        let narrowed = Filter { search: "a".into(), ..filter.clone() };
        assert!(!narrowed.is_empty());
        assert_eq!(narrowed.cleared(), filter);
    }

    #[test]
    fn a_word_without_meaning_is_told_with_its_field() {
        for (field, filter) in [
            ("status", Filter { status: "asleep".into(), ..Filter::default() }),
            ("customer", Filter { customer: "me".into(), ..Filter::default() }),
            ("user", Filter { user: "me".into(), ..Filter::default() }),
            ("first_seen", Filter { first_seen: "once".into(), ..Filter::default() }),
            ("is_principal", Filter { is_principal: "1".into(), ..Filter::default() }),
            ("sort", Filter { sort: "colour".into(), ..Filter::default() }),
            ("search", Filter { search: "a".repeat(256), ..Filter::default() }),
        ] {
            assert_eq!(filter.query().unwrap_err().field, field);
        }
    }
}
