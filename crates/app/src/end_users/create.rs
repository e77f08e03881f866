//! Creating an end user.

use weir_domain::{CustomerId, EndUser, EndUserId, Name};
use weir_store::{CountedEndUser, WriteTx};

use crate::{AppResult, Env, customers};

/// An end user that is to be created.
#[derive(Debug, Clone)]
pub struct NewEndUser {
    /// Its name.
    pub name: Name,
    /// Where to write to.
    pub email: Option<String>,
    /// The customer it belongs to.
    pub customer: Option<CustomerId>,
}

/// Creates an end user. Neither its name nor its e-mail need be unique. Refused where its customer
/// does not exist.
pub fn create(tx: &mut dyn WriteTx, env: &Env, new: &NewEndUser) -> AppResult<CountedEndUser> {
    if let Some(customer) = new.customer {
        customers::hold(tx, customer)?;
    }
    let now = env.now();
    let end_user = EndUser {
        id: EndUserId::from_uuid(env.ids.next(now)),
        name: new.name.clone(),
        email: new.email.clone(),
        customer: new.customer,
        created_at: now,
    };
    tx.end_user_insert(&end_user)?;
    Ok(CountedEndUser { end_user, devices: 0 })
}
