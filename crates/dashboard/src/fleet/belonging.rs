//! Customers and end users as people write them: by name or by id.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;
use weir_app::AppResult;
use weir_app::devices::Recipients;
use weir_domain::name::fold;
use weir_domain::{CustomerId, EndUserId};
use weir_store::ReadTx;

use crate::format;
use crate::text::register as text;

/// The field of a customer.
pub const CUSTOMER: &str = "customer";
/// The field of an end user.
pub const END_USER: &str = "end_user";
/// How many characters of a name that means nobody are repeated.
const REPEATED: usize = 40;

/// A field, and what is wrong with it.
pub type Wrong = (&'static str, String);

/// A customer or an end user.
struct Known<I> {
    id: I,
    uuid: Uuid,
    folded_name: String,
    customer: Option<CustomerId>,
}

/// All whom some texts may mean.
pub struct Named {
    customers: Vec<Known<CustomerId>>,
    end_users: Vec<Known<EndUserId>>,
}

impl Named {
    /// Looks for all whom these pairs of customer and end user may mean, as far as anything is written.
    pub fn look_up<'a>(
        tx: &mut dyn ReadTx,
        written: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    ) -> AppResult<Self> {
        let (ids, names) = apart(written.clone().map(|pair| pair.0));
        let mut customers = match &*names {
            [] => Vec::new(),
            names => tx.customers_by_names(names)?,
        };
        for id in ids {
            customers.extend(tx.customer_by_id(CustomerId::from_uuid(id))?);
        }
        let (ids, names) = apart(written.map(|pair| pair.1));
        let ids: Vec<EndUserId> = ids.into_iter().map(EndUserId::from_uuid).collect();
        let mut end_users = tx.end_users_by_ids(&ids)?;
        if !names.is_empty() {
            end_users.extend(tx.end_users_by_names(&names)?);
        }
        let customer = |customer: weir_domain::Customer| Known {
            id: customer.id,
            uuid: customer.id.uuid(),
            folded_name: fold(customer.name.as_str()),
            customer: None,
        };
        let end_user = |end_user: weir_domain::EndUser| Known {
            id: end_user.id,
            uuid: end_user.id.uuid(),
            folded_name: fold(end_user.name.as_str()),
            customer: end_user.customer,
        };
        Ok(Self {
            customers: each(customers.into_iter().map(|counted| customer(counted.customer))),
            end_users: each(end_users.into_iter().map(end_user)),
        })
    }

    /// Whom a pair of texts means. An end user is looked for among those who can have a device of the
    /// customer, so that names need be told apart only there.
    pub fn recipients(&self, customer: &str, end_user: &str) -> Result<Recipients, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let customer = match find(&self.customers, customer, |_| true) {
            Ok(found) => found,
            Err(reason) => {
                wrong.push((CUSTOMER, reason));
                None
            }
        };
        let is_possible = |known: &Known<EndUserId>| match (customer, known.customer) {
            (Some(customer), Some(other)) => customer == other,
            _ => true,
        };
        let end_user = match find(&self.end_users, end_user, is_possible) {
            Ok(found) => found,
            Err(reason) => {
                wrong.push((END_USER, reason));
                None
            }
        };
        if wrong.is_empty() { Ok(Recipients { customer, end_user }) } else { Err(wrong) }
    }
}

/// The ids and the names among some texts, each once.
fn apart<'a>(written: impl Iterator<Item = &'a str>) -> (Vec<Uuid>, Vec<&'a str>) {
    let written: BTreeSet<&str> = written.filter(|text| !text.is_empty()).collect();
    let (mut ids, mut names) = (Vec::new(), Vec::new());
    for text in written {
        match Uuid::try_parse(text) {
            Ok(id) => ids.push(id),
            Err(_) => names.push(text),
        }
    }
    (ids, names)
}

/// Each once, who may have been found by name and by id.
fn each<I>(known: impl Iterator<Item = Known<I>>) -> Vec<Known<I>> {
    let mut seen = HashSet::new();
    known.filter(|known| seen.insert(known.uuid)).collect()
}

/// The one whom a text means among those who are possible; nobody where nothing is written.
fn find<I: Copy>(
    known: &[Known<I>],
    text: &str,
    is_possible: impl Fn(&Known<I>) -> bool,
) -> Result<Option<I>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (id, name) = (Uuid::try_parse(text).ok(), fold(text));
    let is_meant = |known: &&Known<I>| match id {
        Some(id) => known.uuid == id,
        None => known.folded_name == name,
    };
    let meant: Vec<&Known<I>> = known.iter().filter(is_meant).collect();
    let possible: Vec<I> = meant.iter().filter(|it| is_possible(it)).map(|it| it.id).collect();
    let shown = || format::cut(text, REPEATED);
    match (&*possible, &*meant) {
        ([only], _) => Ok(Some(*only)),
        ([], []) => Err(text::unknown(&shown())),
        ([], _) => Err(text::of_another_customer(&shown())),
        (several, _) => Err(text::ambiguous(&shown(), several.len())),
    }
}
