//! Customers.

use weir_domain::Customer;

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    EVERYTHING, TRICKY, at, customer, customer_id, device, end_user, longest_name, name,
};
use super::race::Race;
use super::stage::Stage;
use super::tenant::Tenant;
use crate::{CountedCustomer, Page, StoreError};

/// A customer of whom everything is known.
fn known(number: u64) -> Customer {
    Customer {
        name: longest_name(),
        email: Some("water@lakeside.example".to_owned()),
        phone: Some("+49 30 123456".to_owned()),
        address: Some(format!("{TRICKY}\nsecond line")),
        timezone: Some("America/Argentina/Buenos_Aires".to_owned()),
        ..customer(number, "")
    }
}

async fn page(
    tenant: &Tenant,
    search: Option<&'static str>,
    limit: u32,
    offset: u64,
) -> Outcome<Vec<String>> {
    let page = Page { limit, offset };
    let found = tenant.read(move |tx| Ok(tx.customers_page(search, page)?)).await?;
    Ok(found.into_iter().map(|found| found.customer.name.into()).collect())
}

/// The names of all that a search means. Holds that they are counted as they are listed.
async fn find(tenant: &Tenant, search: Option<&'static str>) -> Outcome<Vec<String>> {
    let found = page(tenant, search, EVERYTHING.limit, 0).await?;
    let count = tenant.read(move |tx| Ok(tx.customers_count(search)?)).await?;
    assert_eq!(count, found.len() as u64, "{search:?}");
    Ok(found)
}

/// Every field comes back as it was inserted, from the customer and from the list.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    for customer in [known(1), customer(2, TRICKY)] {
        stage.acme.add_customer(&customer).await?;
        let number = customer.id.uuid().as_u128() as u64;
        let expected = CountedCustomer { customer, devices: 0, end_users: 0 };
        assert_eq!(stage.acme.customer(number).await?.as_ref(), Some(&expected));
        let list = stage.acme.read(|tx| Ok(tx.customers_page(None, EVERYTHING)?)).await?;
        assert!(list.contains(&expected), "{list:?}");
    }
    assert_eq!(stage.acme.customer(3).await?, None);
    // A character that no text of PostgreSQL can hold is found in none.
    assert!(find(&stage.acme, Some("\0")).await?.is_empty());
    assert_refused(stage.acme.add_customer(&customer(1, "again")).await);
    Ok(())
}

/// An update stores everything but id and creation time, and says whether there was something.
pub async fn update_stores_all_but_id_and_creation(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    stage.acme.add_customer(&customer(2, "Hillside")).await?;
    for update in [known(1), customer(1, "Seaside")] {
        let given = Customer { created_at: at(99), ..update.clone() };
        assert!(stage.acme.write(move |tx| Ok(tx.customer_update(&given)?)).await?);
        let found = stage.acme.customer(1).await?.map(|found| found.customer);
        assert_eq!(found, Some(update));
    }
    assert!(!stage.acme.write(|tx| Ok(tx.customer_update(&customer(3, "Nowhere"))?)).await?);
    assert_eq!(find(&stage.acme, None).await?, ["Hillside", "Seaside"]);
    Ok(())
}

/// Live devices count for their effective customer, end users for theirs.
pub async fn counts_are_of_live_devices_and_end_users(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    stage.acme.add_customer(&customer(3, "Seaside")).await?;
    stage.acme.add_end_user(&end_user(3, "Edsger", Some(2))).await?;
    let expected = |counts: [(u64, u64, u64); 3]| counts.to_vec();
    let counts = async || {
        let list = stage.acme.read(|tx| Ok(tx.customers_page(None, EVERYTHING)?)).await?;
        let mut counts = Vec::new();
        for found in list {
            let number = found.customer.id.uuid().as_u128() as u64;
            assert_eq!(stage.acme.customer(number).await?.as_ref(), Some(&found));
            counts.push((number, found.devices, found.end_users));
        }
        Outcome::Ok(counts)
    };
    assert_eq!(counts().await?, expected([(2, 3, 2), (1, 2, 0), (3, 0, 0)]));
    stage.acme.soft_delete(1, 9).await?;
    stage.acme.soft_delete(3, 9).await?;
    assert_eq!(counts().await?, expected([(2, 2, 2), (1, 1, 0), (3, 0, 0)]));
    stage.acme.write(|tx| Ok(tx.end_user_update(&end_user(2, "Grace", Some(3)))?)).await?;
    assert_eq!(counts().await?, expected([(2, 0, 1), (1, 1, 0), (3, 2, 1)]));
    Ok(())
}

/// The list is by name ignoring case, ties by id, in pages.
pub async fn list_is_by_name_ignoring_case(stage: Stage) -> Outcome {
    for (number, called) in
        [(1, "Zebra"), (2, "äpfel"), (3, "apple B"), (4, "APPLE a"), (5, "Ähre"), (6, "APPLE B")]
    {
        stage.acme.add_customer(&customer(number, called)).await?;
    }
    let expected = ["APPLE a", "apple B", "APPLE B", "Zebra", "Ähre", "äpfel"];
    assert_eq!(find(&stage.acme, None).await?, expected);
    assert_eq!(page(&stage.acme, None, 2, 0).await?, expected[..2]);
    assert_eq!(page(&stage.acme, None, 3, 2).await?, expected[2..5]);
    assert_eq!(page(&stage.acme, None, 3, 5).await?, expected[5..]);
    assert_eq!(page(&stage.acme, Some("apple"), 2, 1).await?, expected[1..3]);
    assert_eq!(page(&stage.acme, None, 3, u64::MAX).await?, Vec::<String>::new());
    assert_eq!(page(&stage.acme, None, 0, 0).await?, Vec::<String>::new());
    Ok(())
}

/// Names find all customers that go by them, in any case; a part of a name finds none.
pub async fn many_are_found_by_names(stage: Stage) -> Outcome {
    for (number, called) in [(1, "Lakeside"), (2, "LAKESIDE"), (3, "Ähre ΟΔΟΣ"), (4, "Lake")] {
        stage.acme.add_customer(&customer(number, called)).await?;
    }
    for (names, expected) in [
        (&["lakeside"][..], vec![1, 2]),
        (&["äHRE οδος", "LAKE", "nobody", "lake", "a\0b"], vec![3, 4]),
        (&["Lak", "%", ""], vec![]),
        (&[], vec![]),
    ] {
        let found = stage.acme.read(move |tx| Ok(tx.customers_by_names(names)?)).await?;
        let mut found: Vec<_> = found.into_iter().map(|counted| counted.customer.id).collect();
        found.sort_by_key(|id| id.uuid());
        assert_eq!(found, expected.into_iter().map(customer_id).collect::<Vec<_>>(), "{names:?}");
    }
    Ok(())
}

/// A part of the name or the e-mail finds a customer, in any case; every character is plain.
pub async fn search_looks_at_name_and_email(stage: Stage) -> Outcome {
    let mailed = |number, called, email: &str| Customer {
        email: Some(email.to_owned()),
        ..customer(number, called)
    };
    for customer in [
        mailed(1, "Lakeside", "Office@Example.org"),
        mailed(2, "Hillside", "büro_2@example.org"),
        customer(3, "100% ÖKO"),
    ] {
        stage.acme.add_customer(&customer).await?;
    }
    for (part, expected) in [
        ("SIDE", vec!["Hillside", "Lakeside"]),
        ("lake", vec!["Lakeside"]),
        ("office@", vec!["Lakeside"]),
        ("EXAMPLE.ORG", vec!["Hillside", "Lakeside"]),
        ("BÜRO", vec!["Hillside"]),
        ("öko", vec!["100% ÖKO"]),
        ("%", vec!["100% ÖKO"]),
        ("_", vec!["Hillside"]),
        ("l_ke", vec![]),
    ] {
        assert_eq!(find(&stage.acme, Some(part)).await?, expected, "{part}");
    }
    Ok(())
}

/// What refers to a customer is counted: devices whose own it is, deleted ones too, and end users.
pub async fn references_are_counted(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    stage.acme.soft_delete(1, 9).await?;
    let references =
        stage.acme.write(|tx| Ok([1, 2, 9].map(customer_id).map(|id| tx.customer_references(id))));
    let references = references.await?.into_iter().collect::<Result<Vec<_>, StoreError>>()?;
    assert_eq!(references, [(3, 0), (1, 1), (0, 0)]);
    Ok(())
}

/// A customer that nothing refers to is deleted, and one that something refers to is not.
pub async fn delete_is_for_what_nothing_refers_to(stage: Stage) -> Outcome {
    let delete = |number| stage.acme.write(move |tx| Ok(tx.customer_delete(customer_id(number))?));
    stage.acme.found_community().await?;
    stage.acme.add_customer(&customer(3, "Seaside")).await?;
    for number in [1, 2, 4] {
        stage.acme.soft_delete(number, 9).await?;
    }
    let before = stage.acme.customer(1).await?;
    assert_refused(delete(1).await);
    assert_refused(delete(2).await);
    assert_eq!(stage.acme.customer(1).await?, before);
    assert!(delete(3).await?);
    assert!(!delete(3).await?);
    assert_eq!(find(&stage.acme, None).await?, ["Hillside", "Lakeside"]);
    for number in [1, 2, 4] {
        stage.acme.edit(number, |device| device.own_customer = None).await?;
    }
    assert!(delete(1).await?);
    Ok(())
}

/// Whoever has counted the references of a customer can rely on it until the end: nobody adds one.
pub async fn counted_references_stay(stage: Stage) -> Outcome {
    for turn in 0..2 {
        let id = customer_id(turn);
        stage.acme.add_customer(&customer(turn, "Lakeside")).await?;
        let race = Race::default();
        let deleting = stage.acme.write({
            let race = race.clone();
            move |tx| {
                let references = tx.customer_references(id)?;
                race.let_rival_pass();
                Ok(references == (0, 0) && tx.customer_delete(id)?)
            }
        });
        let adding = async {
            let added = stage.acme.write(move |tx| {
                if turn == 0 {
                    return Ok(tx.end_user_insert(&end_user(1, "Ada", Some(turn)))?);
                }
                let new = weir_domain::NewDevice { customer: Some(id), ..device(1) };
                super::tenant::register(tx, &new).map(drop)
            });
            match added.await {
                Ok(()) => Ok(true),
                Err(failed) if matches!(failed.error(), StoreError::Refused(_)) => Ok(false),
                Err(failed) => Err(failed),
            }
        };
        let [deleted, added] = race.run(deleting, adding).await?;
        assert_ne!(deleted, added);
        let found = stage.acme.customer(turn).await?.map(|found| found.customer.name);
        assert_eq!(found, added.then(|| name("Lakeside")));
    }
    Ok(())
}
