//! The customer that a device has: its end user's, else its own.

use weir_domain::{Device, Eui, NewDevice};

use super::community::DEVICES;
use super::failure::Outcome;
use super::fixtures::{
    ANY_DEVICE, EVERYTHING, NEWEST_FIRST, at, customer, customer_id, device, device_id, end_user,
    end_user_id, name,
};
use super::stage::Stage;
use super::tenant::number;

/// Whichever way a device is read, it carries its effective customer with its name, and its own.
pub async fn is_the_end_users_else_its_own(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let ways = stage.acme.write(|tx| {
        let ids: Vec<_> = (1..=7).map(device_id).collect();
        let euis: Vec<_> = (1..=7).map(Eui::from_bits).collect();
        let mut one_by_one = Vec::new();
        for (id, eui) in ids.iter().zip(&euis) {
            one_by_one.extend(tx.device_by_id(*id)?);
            one_by_one.extend(tx.device_live_by_eui(*eui)?);
        }
        Ok([
            one_by_one,
            tx.devices_by_ids(&ids)?,
            tx.devices_live_by_euis(&euis)?,
            tx.devices_locked(&ids)?,
            tx.devices_page(&ANY_DEVICE, NEWEST_FIRST, EVERYTHING)?,
        ])
    });
    for devices in ways.await? {
        assert!(devices.len() >= 7);
        for device in devices {
            let (_, own, end_user, effective) = DEVICES[number(device.id) as usize - 1];
            assert_eq!(device.own_customer, own.map(customer_id), "{device:?}");
            assert_eq!(device.end_user, end_user.map(end_user_id), "{device:?}");
            assert_eq!(device.customer, effective.map(customer_id), "{device:?}");
            let called =
                effective.map(|number| name(["Lakeside", "Hillside"][number as usize - 1]));
            assert_eq!(device.customer_name, called, "{device:?}");
        }
    }
    Ok(())
}

/// In the tree and among the deleted, devices carry it as well.
pub async fn is_known_in_the_tree_and_of_deleted_ones(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    stage.acme.edit(3, |device| device.parent = Some(device_id(1))).await?;
    stage.acme.soft_delete(7, 9).await?;
    let found = stage.acme.read(|tx| {
        let mut found = tx.device_children(device_id(1))?;
        found.extend(tx.device_descendants(device_id(1))?);
        found.extend(tx.device_last_deleted_by_eui(Eui::from_bits(7))?);
        Ok(found)
    });
    let seen: Vec<_> =
        found.await?.into_iter().map(|device| (device.customer, device.customer_name)).collect();
    assert_eq!(seen, vec![(Some(customer_id(2)), Some(name("Hillside"))); 3]);
    Ok(())
}

/// It follows its end user to another customer, and the customer to another name.
pub async fn follows_its_end_user(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    let customers = |device: Option<Device>| device.map(|device| device.customer_name);
    for (customer_of_grace, expected) in [
        (Some(1), Some(name("Seaside"))),
        (None, Some(name("Seaside"))),
        (Some(2), Some(name("Hillside"))),
    ] {
        stage
            .acme
            .write(move |tx| {
                tx.customer_update(&customer(1, "Seaside"))?;
                Ok(tx.end_user_update(&end_user(2, "Grace", customer_of_grace))?)
            })
            .await?;
        assert_eq!(customers(stage.acme.device(device_id(2)).await?), Some(expected));
    }
    Ok(())
}

/// A device registered for a customer has it as its own.
pub async fn of_a_new_device_is_its_own(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    let new = NewDevice { customer: Some(customer_id(1)), created_at: at(5), ..device(1) };
    stage.acme.register(&new).await?;
    let seen = stage.acme.device(device_id(1)).await?;
    let seen = seen.map(|device| (device.own_customer, device.customer, device.customer_name));
    let id = Some(customer_id(1));
    assert_eq!(seen, Some((id, id, Some(name("Lakeside")))));
    Ok(())
}
