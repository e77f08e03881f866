//! That counts follow every kind of change.
//!
//! Whatever a store keeps to count by, its counts are those of the devices that it lists.

use std::collections::BTreeMap;

use weir_domain::{Device, NewDevice, Timestamp};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    ANY_DEVICE, EVERYTHING, NEWEST_FIRST, at, customer, customer_id, device, device_id, end_user,
    end_user_id, seen_at,
};
use super::race::{Race, crowd};
use super::stage::Stage;
use super::tenant::{Tenant, number, numbers, register};
use crate::{CustomerFilter, DeviceFilter, DeviceStats, ReadTx, StoreError, WriteTx};

/// Devices first seen from here on are new.
const NEW_SINCE: Timestamp = at(500);

/// What becomes of one device.
#[derive(Debug, Clone, Copy)]
enum Edit {
    Nothing,
    Principal(bool),
    Active(bool),
    EndUser(Option<u64>),
    OwnCustomer(Option<u64>),
    Delete,
    Restore,
}

/// A change of what is counted. Devices that do not exist are passed over.
#[derive(Debug, Clone)]
enum Step {
    /// A device is registered, for a customer or for none.
    Register { number: u64, customer: Option<u64>, is_principal: bool },
    /// Some devices are changed together.
    Edit(BTreeMap<u64, Edit>),
    /// An end user moves to a customer or to none.
    Move { end_user: u64, customer: Option<u64> },
    /// A device is heard for the first time, in that second.
    Hear { number: u64, second: i64 },
}

impl Edit {
    fn apply(self, device: &mut Device) {
        match self {
            Self::Nothing => {}
            Self::Principal(is_principal) => device.is_principal = is_principal,
            Self::Active(is_active) => device.is_active = is_active,
            Self::EndUser(end_user) => device.end_user = end_user.map(end_user_id),
            Self::OwnCustomer(customer) => device.own_customer = customer.map(customer_id),
            Self::Delete => device.deleted_at = Some(at(900)),
            Self::Restore => device.deleted_at = None,
        }
    }
}

impl Step {
    fn of_one(number: u64, edit: Edit) -> Self {
        Self::Edit(BTreeMap::from([(number, edit)]))
    }

    fn apply(&self, tx: &mut dyn WriteTx) -> Outcome {
        match *self {
            Self::Register { number, customer, is_principal } => {
                let customer = customer.map(customer_id);
                register(tx, &NewDevice { customer, is_principal, ..device(number) })?;
            }
            Self::Edit(ref edits) => edit_together(tx, edits)?,
            Self::Move { end_user: number, customer } => {
                assert!(tx.end_user_update(&end_user(number, "Moved", customer))?);
            }
            Self::Hear { number, second } => {
                let keys = tx.devices_by_ids(&[device_id(number)])?;
                let keys: Vec<_> = keys.iter().map(|device| device.key).collect();
                let mut states = tx.device_states(&keys)?;
                states.iter_mut().for_each(|state| state.telemetry = seen_at(second));
                tx.device_states_store(&states)?;
            }
        }
        Ok(())
    }
}

/// Stores all of these devices in one call, with the claims that it takes and leaves.
fn edit_together(tx: &mut dyn WriteTx, edits: &BTreeMap<u64, Edit>) -> Outcome {
    let ids: Vec<_> = edits.keys().copied().map(device_id).collect();
    let mut devices = tx.devices_locked(&ids)?;
    for device in &mut devices {
        let was_live = device.is_live();
        edits[&number(device.id)].apply(device);
        assert!(was_live || !device.is_live() || tx.eui_claim(device.dev_eui)?);
    }
    tx.devices_store(&devices)?;
    let deleted = devices.iter().filter(|device| !device.is_live());
    let euis: Vec<_> = deleted.map(|device| device.dev_eui).collect();
    Ok(tx.euis_release(&euis)?)
}

/// Whether a device's effective customer is meant.
fn is_meant(device: &Device, customers: &[CustomerFilter]) -> bool {
    customers.iter().all(|customer| match customer {
        CustomerFilter::Of(id) => device.customer == Some(*id),
        CustomerFilter::Unassociated => device.customer.is_none(),
    })
}

/// Holds that every count is that of the devices which the list shows, and that these have the
/// customers that they should.
fn assert_counted(tx: &mut dyn ReadTx, after: &str) -> Outcome {
    let devices = tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?;
    for device in &devices {
        let end_users: Vec<_> = device.end_user.into_iter().collect();
        let end_users = tx.end_users_by_ids(&end_users)?;
        let customer = end_users.first().and_then(|end_user| end_user.customer);
        assert_eq!(device.customer, customer.or(device.own_customer), "{after}: {device:?}");
    }
    let count = |is_meant: &dyn Fn(&Device) -> bool| {
        devices.iter().filter(|device| is_meant(device)).count() as u64
    };
    let of = |number| CustomerFilter::Of(customer_id(number));
    let none = CustomerFilter::Unassociated;
    // Nobody has the customers 0 and 9; the id of the former is all zeros.
    for customers in
        [vec![], vec![of(1)], vec![of(2)], vec![of(0)], vec![of(9)], vec![none], vec![of(1), of(2)]]
    {
        let of_customers = |device: &Device| is_meant(device, &customers);
        let expected = DeviceStats {
            total: count(&of_customers),
            new: count(&|device| {
                of_customers(device) && device.telemetry.first_seen_at >= Some(NEW_SINCE)
            }),
            unassociated: count(&|device| of_customers(device) && device.customer.is_none()),
            unassigned: count(&|device| of_customers(device) && device.end_user.is_none()),
        };
        let stats = tx.devices_stats(&customers, NEW_SINCE)?;
        assert_eq!(stats, expected, "{after}: {customers:?}");
        for is_principal in [None, Some(true), Some(false)] {
            for is_assigned in [None, Some(true), Some(false)] {
                let meant = |device: &Device| {
                    of_customers(device)
                        && is_principal.is_none_or(|wanted| device.is_principal == wanted)
                        && is_assigned.is_none_or(|wanted| device.end_user.is_some() == wanted)
                };
                let customers = customers.clone();
                let filter = DeviceFilter { is_principal, customers, is_assigned, ..ANY_DEVICE };
                assert_eq!(tx.devices_count(&filter)?, count(&meant), "{after}: {filter:?}");
            }
        }
    }
    assert_eq!(tx.devices_billed()?, count(&|device| device.is_active), "{after}");
    let customers = tx.customers_page(None, EVERYTHING)?;
    assert!(!customers.is_empty());
    for counted in customers {
        let id = counted.customer.id;
        let devices = count(&|device| device.customer == Some(id));
        assert_eq!(counted.devices, devices, "{after}: {counted:?}");
        assert_eq!(tx.customer_by_id(id)?.as_ref(), Some(&counted), "{after}");
    }
    Ok(())
}

impl Tenant {
    /// Its live devices.
    async fn devices(&self) -> Outcome<Vec<Device>> {
        self.read(|tx| Ok(tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?)).await
    }

    /// Takes some steps in one transaction, and holds that counts are right before and after its end.
    async fn take_steps(&self, steps: Vec<Step>) -> Outcome {
        let after = format!("after {steps:?}");
        let before_commit = after.clone();
        self.write(move |tx| {
            steps.iter().try_for_each(|step| step.apply(tx))?;
            assert_counted(tx, &before_commit)
        })
        .await?;
        self.read(move |tx| assert_counted(tx, &after)).await
    }
}

/// Numbers that look like chance and are always the same.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % limit
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    /// The first or the second of two, or none.
    fn one_of_two(&mut self) -> Option<u64> {
        Some(self.below(3)).filter(|number| *number > 0)
    }

    fn edit(&mut self) -> Edit {
        match self.below(9) {
            0 => Edit::Nothing,
            1 => Edit::Principal(self.coin()),
            2 => Edit::Active(self.coin()),
            3 | 4 => Edit::EndUser(self.one_of_two()),
            5 => Edit::OwnCustomer(self.one_of_two()),
            6 => Edit::Delete,
            _ => Edit::Restore,
        }
    }

    /// A step in a fleet of devices up to that number.
    fn step(&mut self, fleet: u64) -> Step {
        match self.below(8) {
            0 | 1 => Step::Move { end_user: 1 + self.below(2), customer: self.one_of_two() },
            2 => Step::Hear { number: 1 + self.below(fleet), second: 490 + self.below(20) as i64 },
            _ => {
                let count = 1 + self.below(4);
                Step::Edit((0..count).map(|_| (1 + self.below(fleet), self.edit())).collect())
            }
        }
    }
}

/// After every kind of change, each by itself, counts are right.
pub async fn follows_every_kind_of_change(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let register = |number, customer| Step::Register { number, customer, is_principal: true };
    stage.globex.add_customer(&customer(1, "Riverside")).await?;
    stage.globex.take_steps(vec![register(20, Some(1)), register(21, None)]).await?;
    let together = |edits: &[(u64, Edit)]| Step::Edit(edits.iter().copied().collect());
    for step in [
        register(8, None),
        register(9, Some(1)),
        Step::of_one(1, Edit::Principal(true)),
        Step::of_one(8, Edit::Principal(false)),
        Step::of_one(1, Edit::Active(false)),
        Step::of_one(1, Edit::Active(true)),
        Step::of_one(2, Edit::Active(false)),
        Step::of_one(8, Edit::EndUser(Some(2))),
        Step::of_one(9, Edit::EndUser(Some(2))),
        Step::of_one(8, Edit::EndUser(None)),
        Step::of_one(9, Edit::EndUser(Some(1))),
        Step::of_one(5, Edit::OwnCustomer(Some(2))),
        Step::of_one(3, Edit::OwnCustomer(Some(1))),
        Step::of_one(5, Edit::OwnCustomer(None)),
        Step::Hear { number: 3, second: 499 },
        Step::Hear { number: 4, second: 500 },
        Step::of_one(7, Edit::Delete),
        Step::Move { end_user: 2, customer: Some(1) },
        Step::Move { end_user: 1, customer: Some(2) },
        Step::of_one(7, Edit::Restore),
        Step::of_one(3, Edit::Delete),
        Step::Move { end_user: 2, customer: None },
        Step::Move { end_user: 2, customer: None },
        Step::of_one(3, Edit::Active(false)),
        Step::of_one(3, Edit::Restore),
        together(&[
            (1, Edit::EndUser(Some(1))),
            (2, Edit::Nothing),
            (3, Edit::Delete),
            (4, Edit::OwnCustomer(None)),
            (5, Edit::EndUser(Some(1))),
            (8, Edit::Principal(true)),
        ]),
        together(&[(3, Edit::Restore), (4, Edit::Delete), (6, Edit::Nothing)]),
    ] {
        stage.acme.take_steps(vec![step]).await?;
    }
    stage.globex.read(|tx| assert_counted(tx, "what globex has")).await?;
    assert_eq!(numbers(&stage.globex.devices().await?), [21, 20]);
    Ok(())
}

/// After any sequence of changes, several in a transaction, counts are right.
pub async fn follows_a_long_history(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let mut sequence = Sequence(20_260_101);
    let mut fleet = 7;
    let mut taken = 0;
    while taken < 240 {
        let mut steps: Vec<_> = (0..=sequence.below(5)).map(|_| sequence.step(fleet)).collect();
        if fleet < 15 {
            fleet += 1;
            let (customer, is_principal) = (sequence.one_of_two(), sequence.coin());
            steps.push(Step::Register { number: fleet, customer, is_principal });
        }
        taken += steps.len();
        stage.acme.take_steps(steps).await?;
    }
    assert!(stage.acme.devices().await?.len() > 2, "there is something left to count");
    Ok(())
}

/// What is undone was never counted.
pub async fn of_what_is_undone_is_as_before(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let before = stage.acme.devices().await?;
    let undone = stage.acme.write(|tx| {
        Step::Register { number: 8, customer: Some(1), is_principal: true }.apply(tx)?;
        Step::Move { end_user: 2, customer: Some(1) }.apply(tx)?;
        Step::of_one(1, Edit::Delete).apply(tx)?;
        assert_counted(tx, "before it is undone")?;
        Outcome::<()>::Err(StoreError::Refused("on purpose".to_owned()).into())
    });
    assert_refused(undone.await);
    stage.acme.read(|tx| assert_counted(tx, "after it was undone")).await?;
    assert_eq!(stage.acme.devices().await?, before);
    Ok(())
}

/// Of a change that is refused for one device, whatever part the store keeps is counted.
pub async fn of_what_is_refused_in_part_is_right(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let swallowed = stage.acme.write(|tx| {
        let ids: Vec<_> = (1..=7).map(device_id).collect();
        let mut devices = tx.devices_locked(&ids)?;
        devices.iter_mut().for_each(|device| device.is_principal = true);
        devices.last_mut().expect("a device").end_user = Some(end_user_id(99));
        assert!(tx.devices_store(&devices).is_err());
        Ok(())
    });
    // Some stores refuse to commit then, and keep nothing.
    if let Err(failed) = swallowed.await {
        assert!(!failed.error().to_string().contains("panicked"), "{failed:?}");
    }
    stage.acme.read(|tx| assert_counted(tx, "after a refusal")).await
}

/// An assignment and a move of the end user that meet, and changes of many devices at once, leave
/// nothing that is counted wrong.
pub async fn of_changes_at_once_is_right(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let assign = |number| Step::of_one(number, Edit::EndUser(Some(2)));
    let transfer = |customer| Step::Move { end_user: 2, customer };
    for (slower, rival) in [(assign(1), transfer(Some(1))), (transfer(Some(2)), assign(5))] {
        let race = Race::default();
        let slower = stage.acme.write({
            let race = race.clone();
            move |tx| {
                slower.apply(tx)?;
                race.let_rival_pass();
                Ok(())
            }
        });
        race.run(slower, stage.acme.write(move |tx| rival.apply(tx))).await?;
        stage.acme.read(|tx| assert_counted(tx, "after a race")).await?;
    }
    crowd(24, |number| {
        let number = number as u64;
        let step = match number % 4 {
            0 => Step::Register { number: 10 + number, customer: Some(1), is_principal: true },
            1 => transfer(Some(1 + number % 3).filter(|customer| *customer < 3)),
            2 => Step::Edit((1..=7).map(|each| (each, Edit::Principal(number > 9))).collect()),
            _ => {
                let end_user = Some(1 + number / 4 % 2);
                Step::Edit((1..=5).map(|each| (each, Edit::EndUser(end_user))).collect())
            }
        };
        stage.acme.write(move |tx| step.apply(tx))
    })
    .await?;
    stage.acme.read(|tx| assert_counted(tx, "after a crowd")).await
}
