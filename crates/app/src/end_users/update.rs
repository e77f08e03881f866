//! Changing an end user.

use weir_domain::{CustomerId, EndUserId, Name};
use weir_store::{CountedEndUser, WriteTx};

use crate::{AppResult, customers};

/// What is to be changed of an end user; what is not given stays, and an inner `None` empties a field.
#[derive(Debug, Clone, Default)]
pub struct EndUserChange {
    /// Its name.
    pub name: Option<Name>,
    /// Where to write to.
    pub email: Option<Option<String>>,
    /// The customer it belongs to.
    pub customer: Option<Option<CustomerId>>,
}

/// Changes an end user. Devices that are assigned to it follow it to another customer. Refused where
/// there is no end user of that id, and where the customer does not exist.
pub fn update(
    tx: &mut dyn WriteTx,
    id: EndUserId,
    change: &EndUserChange,
) -> AppResult<CountedEndUser> {
    if change.customer.is_some() {
        // Its devices change too: in the order of those who assign them, so that nobody waits in a
        // circle.
        tx.lock_device_tree()?;
    }
    let mut counted = super::hold(tx, id)?;
    if let Some(Some(customer)) = change.customer {
        customers::hold(tx, customer)?;
    }
    let change = change.clone();
    let end_user = &mut counted.end_user;
    end_user.name = change.name.unwrap_or_else(|| end_user.name.clone());
    end_user.email = change.email.unwrap_or_else(|| end_user.email.take());
    end_user.customer = change.customer.unwrap_or(end_user.customer);
    tx.end_user_update(end_user)?;
    Ok(counted)
}
