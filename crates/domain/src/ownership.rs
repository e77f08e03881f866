//! Who a device belonged to, and whose it is next.

use crate::{CustomerId, Device, DeviceId, EndUser, EndUserId, OwnershipId, Timestamp};

/// One change of a device's end user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnershipRecord {
    /// Its id.
    pub id: OwnershipId,
    /// The device.
    pub device: DeviceId,
    /// Who had it before.
    pub previous: Option<EndUserId>,
    /// Who has it since.
    pub new: Option<EndUserId>,
    /// When it changed.
    pub changed_at: Timestamp,
    /// The name of the API key, or the e-mail of the user, that changed it.
    pub changed_by: String,
    /// Whether there is a final consumption report of the previous owner.
    pub has_report: bool,
    /// Remarks.
    pub notes: Option<String>,
}

/// Whose a device is to be: what an assignment decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Belonging {
    /// The end user it is assigned to.
    pub end_user: Option<EndUserId>,
    /// The customer it belongs to by itself.
    pub own_customer: Option<CustomerId>,
}

impl Belonging {
    /// Whose a device is now.
    pub const fn of(device: &Device) -> Self {
        Self { end_user: device.end_user, own_customer: device.own_customer }
    }
}

/// Whose a device is once it is assigned to an end user, or to nobody. A meter does not fall out of
/// its community unasked: where the next end user brings no customer, the one that the device has
/// through its present end user becomes its own.
pub fn assigned(device: &Device, to: Option<&EndUser>) -> Belonging {
    let end_user = to.map(|end_user| end_user.id);
    let brings_customer = to.is_some_and(|end_user| end_user.customer.is_some());
    if end_user == device.end_user || brings_customer {
        return Belonging { end_user, own_customer: device.own_customer };
    }
    Belonging { end_user, own_customer: device.customer }
}

/// Whose a device is once it is given to a customer. An end user of another customer loses it: the
/// meter left that community. One who belongs to no customer keeps it.
pub fn given_to(device: &Device, present: Option<&EndUser>, customer: CustomerId) -> Belonging {
    let is_anothers =
        present.and_then(|end_user| end_user.customer).is_some_and(|other| other != customer);
    let end_user = if is_anothers { None } else { device.end_user };
    Belonging { end_user, own_customer: Some(customer) }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{DeviceKey, Eui, Name, Status};

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn customer(n: u128) -> CustomerId {
        CustomerId::from_uuid(Uuid::from_u128(n))
    }

    fn end_user(n: u128, customer: Option<CustomerId>) -> EndUser {
        EndUser {
            id: EndUserId::from_uuid(Uuid::from_u128(n)),
            name: Name::stored("Ada".into()),
            email: None,
            customer,
            created_at: NOW,
        }
    }

    /// A device as a store shows it: its effective customer is its end user's, else its own.
    fn device(end_user: Option<&EndUser>, own_customer: Option<CustomerId>) -> Device {
        Device {
            key: DeviceKey(1),
            id: DeviceId::from_uuid(Uuid::from_u128(1)),
            dev_eui: Eui::from_bits(1),
            name: Name::stored("Main".into()),
            status: Status::Offline,
            is_active: true,
            end_user: end_user.map(|end_user| end_user.id),
            own_customer,
            customer: end_user.and_then(|end_user| end_user.customer).or(own_customer),
            customer_name: None,
            parent: None,
            is_principal: false,
            hierarchy_level: 0,
            telemetry: Default::default(),
            deleted_at: None,
            created_at: NOW,
            updated_at: NOW,
        }
    }

    fn effective(belonging: Belonging, end_user: Option<&EndUser>) -> Option<CustomerId> {
        end_user.and_then(|end_user| end_user.customer).or(belonging.own_customer)
    }

    #[test]
    fn no_assignment_takes_a_meter_out_of_its_community() {
        let (a, b) = (customer(1), customer(2));
        let people = [
            None,
            Some(end_user(10, None)),
            Some(end_user(11, Some(a))),
            Some(end_user(12, Some(b))),
        ];
        for before in &people {
            for own in [None, Some(a), Some(b)] {
                for after in &people {
                    let device = device(before.as_ref(), own);
                    let next = assigned(&device, after.as_ref());
                    assert_eq!(next.end_user, after.as_ref().map(|end_user| end_user.id));
                    let brought = after.as_ref().and_then(|end_user| end_user.customer);
                    assert_eq!(
                        effective(next, after.as_ref()),
                        brought.or(device.customer),
                        "{before:?} {own:?} {after:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn assigning_to_the_present_end_user_changes_nothing() {
        let (a, b) = (customer(1), customer(2));
        for present in [None, Some(end_user(10, None)), Some(end_user(11, Some(a)))] {
            for own in [None, Some(a), Some(b)] {
                let device = device(present.as_ref(), own);
                assert_eq!(assigned(&device, present.as_ref()), Belonging::of(&device));
            }
        }
    }

    #[test]
    fn only_an_end_user_of_another_customer_loses_the_meter() {
        let (a, b) = (customer(1), customer(2));
        for (present, keeps) in [
            (None, false),
            (Some(end_user(10, None)), true),
            (Some(end_user(11, Some(a))), true),
            (Some(end_user(12, Some(b))), false),
        ] {
            let device = device(present.as_ref(), Some(b));
            let next = given_to(&device, present.as_ref(), a);
            assert_eq!(next.own_customer, Some(a));
            assert_eq!(next.end_user, device.end_user.filter(|_| keeps));
        }
    }
}
