//! Customers and end users.

use weir_domain::{Customer, CustomerId, EndUser, EndUserId, Name};

use super::{People, Registry};
use crate::failure::Failure;
use crate::fleet::END_USERS;

/// How many end users one transaction inserts.
const AT_ONCE: usize = 5_000;

impl Registry {
    /// Inserts the customers and the end users.
    pub(super) async fn people(&self) -> Result<People, Failure> {
        let customers: Vec<Customer> =
            (0..self.fleet.customers()).map(|it| self.customer(it)).collect();
        let ids: Vec<CustomerId> = customers.iter().map(|customer| customer.id).collect();
        let end_users: Vec<EndUser> = (0..self.fleet.end_users())
            .map(|number| {
                let building = number / END_USERS;
                self.end_user(number, ids[self.fleet.customer_of(building) as usize])
            })
            .collect();
        let people = People {
            customers: ids,
            end_users: end_users.iter().map(|end_user| end_user.id).collect(),
        };
        let insert = move |tx: &mut dyn weir_store::WriteTx| {
            customers.iter().try_for_each(|customer| tx.customer_insert(customer))
        };
        self.db.write(&self.scope, insert).await?;
        for some in end_users.chunks(AT_ONCE) {
            let some = some.to_vec();
            let insert = move |tx: &mut dyn weir_store::WriteTx| {
                some.iter().try_for_each(|end_user| tx.end_user_insert(end_user))
            };
            self.db.write(&self.scope, insert).await?;
        }
        Ok(people)
    }

    fn customer(&self, number: u32) -> Customer {
        let created_at = self.begun_at();
        Customer {
            id: CustomerId::from_uuid(self.ids.next(created_at)),
            name: Name::stored(format!("Community {number}")),
            email: Some(format!("office@community-{number}.example")),
            phone: None,
            address: None,
            timezone: None,
            created_at,
        }
    }

    fn end_user(&self, number: u32, customer: CustomerId) -> EndUser {
        let created_at = self.begun_at();
        EndUser {
            id: EndUserId::from_uuid(self.ids.next(created_at)),
            name: Name::stored(format!("Resident {number}")),
            email: Some(format!("resident-{number}@home.example")),
            customer: Some(customer),
            created_at,
        }
    }
}
