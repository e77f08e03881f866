//! A community in which every way to a customer is gone by some device.

use super::failure::Outcome;
use super::fixtures::{customer, customer_id, device, end_user, end_user_id};
use super::tenant::{Tenant, edit, register};

/// A device's number, its own customer, its end user, and the customer that comes of it.
type Member = (u64, Option<u64>, Option<u64>, Option<u64>);

/// The devices of a community.
pub(super) const DEVICES: [Member; 7] = [
    (1, Some(1), None, Some(1)),
    (2, Some(1), Some(2), Some(2)),
    (3, None, Some(2), Some(2)),
    (4, Some(1), Some(1), Some(1)),
    (5, None, None, None),
    (6, None, Some(1), None),
    (7, Some(2), Some(2), Some(2)),
];

impl Tenant {
    /// Founds customers 1 and 2, end user 1 of no customer and end user 2 of customer 2, and the
    /// devices above.
    pub(super) async fn found_community(&self) -> Outcome {
        self.write(|tx| {
            tx.customer_insert(&customer(1, "Lakeside"))?;
            tx.customer_insert(&customer(2, "Hillside"))?;
            tx.end_user_insert(&end_user(1, "Ada", None))?;
            tx.end_user_insert(&end_user(2, "Grace", Some(2)))?;
            for (number, own, end_user, _) in DEVICES {
                register(tx, &device(number))?;
                edit(tx, number, &mut |device| {
                    device.own_customer = own.map(customer_id);
                    device.end_user = end_user.map(end_user_id);
                })?;
            }
            Ok(())
        })
        .await
    }
}
