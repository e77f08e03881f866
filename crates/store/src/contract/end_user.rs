//! End users.

use weir_domain::{EndUser, EndUserId};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{
    ANY_END_USER, EVERYTHING, TRICKY, at, customer, customer_id, device, device_id, end_user,
    end_user_id, longest_name, ownership,
};
use super::race::Race;
use super::stage::Stage;
use super::tenant::Tenant;
use crate::{CountedEndUser, CustomerFilter, EndUserFilter, Page, StoreError};

async fn page(
    tenant: &Tenant,
    filter: &EndUserFilter,
    limit: u32,
    offset: u64,
) -> Outcome<Vec<String>> {
    let (filter, page) = (filter.clone(), Page { limit, offset });
    let found = tenant.read(move |tx| Ok(tx.end_users_page(&filter, page)?)).await?;
    Ok(found.into_iter().map(|found| found.end_user.name.into()).collect())
}

/// The names of all that a filter means. Holds that they are counted as they are listed.
async fn find(tenant: &Tenant, filter: &EndUserFilter) -> Outcome<Vec<String>> {
    let found = page(tenant, filter, EVERYTHING.limit, 0).await?;
    let filter = filter.clone();
    let count = tenant.read(move |tx| Ok(tx.end_users_count(&filter)?)).await?;
    assert_eq!(count, found.len() as u64);
    Ok(found)
}

/// Every field comes back as it was inserted, from the end user and from the lists.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    let known = EndUser {
        name: longest_name(),
        email: Some(TRICKY.to_owned()),
        ..end_user(1, "", Some(1))
    };
    for end_user in [known.clone(), EndUser { id: end_user_id(2), ..known }, end_user(3, "A", None)]
    {
        stage.acme.add_end_user(&end_user).await?;
        let number = end_user.id.uuid().as_u128() as u64;
        let expected = CountedEndUser { end_user: end_user.clone(), devices: 0 };
        assert_eq!(stage.acme.end_user(number).await?.as_ref(), Some(&expected));
        let (list, by_ids) = stage
            .acme
            .read(move |tx| {
                let by_ids = tx.end_users_by_ids(&[end_user_id(number)])?;
                Ok((tx.end_users_page(&ANY_END_USER, EVERYTHING)?, by_ids))
            })
            .await?;
        assert!(list.contains(&expected), "{list:?}");
        assert_eq!(by_ids, [end_user]);
    }
    assert_eq!(stage.acme.end_user(9).await?, None);
    assert_refused(stage.acme.add_end_user(&end_user(1, "again", None)).await);
    assert_refused(stage.acme.add_end_user(&end_user(4, "of nobody", Some(9))).await);
    Ok(())
}

/// Very many ids are asked for at once, or none; each end user is found once.
pub async fn many_are_found_by_ids(stage: Stage) -> Outcome {
    for number in 1..=3 {
        stage.acme.add_end_user(&end_user(number, "Ada", None)).await?;
    }
    stage.globex.add_end_user(&end_user(4, "Ada", None)).await?;
    let found = stage.acme.read(|tx| {
        let ids: Vec<EndUserId> = (1..20_000).chain(1..5).map(end_user_id).collect();
        assert_eq!(tx.end_users_by_ids(&[])?, []);
        Ok(tx.end_users_by_ids(&ids)?)
    });
    let mut found = found.await?;
    found.sort_by_key(|end_user| end_user.id);
    assert_eq!(found, [1, 2, 3].map(|number| end_user(number, "Ada", None)));
    Ok(())
}

/// Names find all end users who go by them, in any case; a part of a name finds nobody.
pub async fn many_are_found_by_names(stage: Stage) -> Outcome {
    for (number, called) in [(1, "Bob"), (2, "BOB"), (3, "Zoë Σ"), (4, "Bobby")] {
        stage.acme.add_end_user(&end_user(number, called, None)).await?;
    }
    for (names, expected) in [
        (&["bob"][..], vec![1, 2]),
        (&["ZOË ς", "bobbY", "nobody", "BOBBY", "a\0b"], vec![3, 4]),
        (&["Bo", "%", ""], vec![]),
        (&[], vec![]),
    ] {
        let found = stage.acme.read(move |tx| Ok(tx.end_users_by_names(names)?)).await?;
        let mut found: Vec<_> = found.into_iter().map(|end_user| end_user.id).collect();
        found.sort_by_key(|id| id.uuid());
        assert_eq!(found, expected.into_iter().map(end_user_id).collect::<Vec<_>>(), "{names:?}");
    }
    Ok(())
}

/// An update stores everything but id and creation time, and says whether there was something.
pub async fn update_stores_all_but_id_and_creation(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    stage.acme.add_end_user(&end_user(1, "Ada", None)).await?;
    stage.acme.add_end_user(&end_user(2, "Grace", None)).await?;
    let full = EndUser { email: Some("a@b.example".to_owned()), ..end_user(1, TRICKY, Some(1)) };
    for update in [full, end_user(1, "Bare", None)] {
        let given = EndUser { created_at: at(99), ..update.clone() };
        assert!(stage.acme.write(move |tx| Ok(tx.end_user_update(&given)?)).await?);
        assert_eq!(stage.acme.end_user(1).await?.map(|found| found.end_user), Some(update));
    }
    assert!(!stage.acme.write(|tx| Ok(tx.end_user_update(&end_user(3, "Nobody", None))?)).await?);
    let strange = stage.acme.write(|tx| Ok(tx.end_user_update(&end_user(1, "Ada", Some(9)))?));
    assert_refused(strange.await);
    assert_eq!(find(&stage.acme, &ANY_END_USER).await?, ["Bare", "Grace"]);
    Ok(())
}

/// Live devices that are assigned count, whatever their customer.
pub async fn counts_are_of_live_devices(stage: Stage) -> Outcome {
    stage.acme.found_community().await?;
    stage.acme.soft_delete(7, 9).await?;
    let list = stage.acme.read(|tx| Ok(tx.end_users_page(&ANY_END_USER, EVERYTHING)?)).await?;
    let counts: Vec<_> = list.iter().map(|found| found.devices).collect();
    assert_eq!(counts, [2, 2]);
    assert_eq!(stage.acme.end_user(1).await?.as_ref(), list.first());
    assert_eq!(stage.acme.end_user(2).await?.as_ref(), list.last());
    Ok(())
}

/// The list is by name ignoring case, ties by id, in pages.
pub async fn list_is_by_name_ignoring_case(stage: Stage) -> Outcome {
    for (number, called) in
        [(1, "zoe"), (2, "Özil"), (3, "ada B"), (4, "ADA a"), (5, "ökonom"), (6, "Ada b")]
    {
        stage.acme.add_end_user(&end_user(number, called, None)).await?;
    }
    let expected = ["ADA a", "ada B", "Ada b", "zoe", "ökonom", "Özil"];
    assert_eq!(find(&stage.acme, &ANY_END_USER).await?, expected);
    assert_eq!(page(&stage.acme, &ANY_END_USER, 2, 1).await?, expected[1..3]);
    assert_eq!(page(&stage.acme, &ANY_END_USER, 9, 4).await?, expected[4..]);
    assert_eq!(page(&stage.acme, &ANY_END_USER, 9, u64::MAX).await?, Vec::<String>::new());
    Ok(())
}

/// End users are found by customer, by having none, and by a part of name or e-mail; all at once.
pub async fn filters_hold_together(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    stage.acme.add_customer(&customer(2, "Hillside")).await?;
    let mailed =
        |end_user: EndUser, email: &str| EndUser { email: Some(email.to_owned()), ..end_user };
    for end_user in [
        mailed(end_user(1, "Ada", Some(1)), "ADA@example.org"),
        mailed(end_user(2, "Bärbel", Some(1)), "b_1@example.org"),
        end_user(3, "Ada 100%", Some(2)),
        end_user(4, "ADAM", None),
    ] {
        stage.acme.add_end_user(&end_user).await?;
    }
    let of = |number| Some(CustomerFilter::Of(customer_id(number)));
    let none = Some(CustomerFilter::Unassociated);
    for (customer, part, expected) in [
        (None, None, vec!["Ada", "Ada 100%", "ADAM", "Bärbel"]),
        (of(1), None, vec!["Ada", "Bärbel"]),
        (of(2), None, vec!["Ada 100%"]),
        (of(9), None, vec![]),
        (none, None, vec!["ADAM"]),
        (None, Some("ada"), vec!["Ada", "Ada 100%", "ADAM"]),
        (None, Some("BÄR"), vec!["Bärbel"]),
        (None, Some("Example"), vec!["Ada", "Bärbel"]),
        (None, Some("%"), vec!["Ada 100%"]),
        (None, Some("_"), vec!["Bärbel"]),
        (of(1), Some("ada"), vec!["Ada"]),
        (none, Some("ada"), vec!["ADAM"]),
        (none, Some("bär"), vec![]),
    ] {
        let filter = EndUserFilter { customer, search: part.map(str::to_owned) };
        assert_eq!(find(&stage.acme, &filter).await?, expected, "{filter:?}");
    }
    Ok(())
}

/// The first end user of a customer is the one created first, ties by id.
pub async fn first_of_a_customer_was_created_first(stage: Stage) -> Outcome {
    stage.acme.add_customer(&customer(1, "Lakeside")).await?;
    stage.acme.add_customer(&customer(2, "Hillside")).await?;
    stage.acme.add_end_user(&EndUser { created_at: at(1), ..end_user(1, "A", Some(2)) }).await?;
    stage.acme.add_end_user(&EndUser { created_at: at(1), ..end_user(2, "A", None) }).await?;
    let first = |number| stage.acme.read(move |tx| Ok(tx.end_user_first_of(customer_id(number))?));
    assert_eq!(first(1).await?, None);
    for (number, second, expected) in [(7, 20, 7), (5, 20, 5), (6, 20, 5), (9, 10, 9), (3, 30, 9)] {
        let end_user = EndUser { created_at: at(second), ..end_user(number, "A", Some(1)) };
        stage.acme.add_end_user(&end_user).await?;
        let found = first(1).await?.map(|end_user| end_user.id);
        assert_eq!(found, Some(end_user_id(expected)), "after {number}");
    }
    Ok(())
}

/// What is assigned to an end user is counted, deleted devices too; one who has none is deleted, and
/// the records that name them stay.
pub async fn delete_is_for_whom_nothing_is_assigned_to(stage: Stage) -> Outcome {
    let delete = |number| stage.acme.write(move |tx| Ok(tx.end_user_delete(end_user_id(number))?));
    stage.acme.found_community().await?;
    for number in [4, 6] {
        stage.acme.soft_delete(number, 9).await?;
    }
    let references =
        |number| stage.acme.write(move |tx| Ok(tx.end_user_references(end_user_id(number))?));
    assert_eq!(references(1).await?, 2);
    assert_eq!(references(2).await?, 3);
    assert_eq!(references(9).await?, 0);
    assert_refused(delete(1).await);
    assert_refused(delete(2).await);
    let record = weir_domain::OwnershipRecord {
        previous: Some(end_user_id(1)),
        new: Some(end_user_id(1)),
        ..ownership(1, 4, 5)
    };
    let inserted = record.clone();
    stage.acme.write(move |tx| Ok(tx.ownership_insert(&[(inserted.clone(), None)])?)).await?;
    for number in [4, 6] {
        stage.acme.edit(number, |device| device.end_user = None).await?;
    }
    assert_eq!(references(1).await?, 0);
    assert!(delete(1).await?);
    assert!(!delete(1).await?);
    assert_eq!(stage.acme.end_user(1).await?, None);
    let records = stage.acme.read(|tx| Ok(tx.ownership_by_device(device_id(4))?)).await?;
    assert_eq!(records, [record]);
    Ok(())
}

/// Whoever has counted what is assigned can rely on it until the end: nobody assigns more.
pub async fn counted_references_stay(stage: Stage) -> Outcome {
    stage.acme.register(&device(1)).await?;
    stage.acme.add_end_user(&end_user(1, "Ada", None)).await?;
    let race = Race::default();
    let deleting = stage.acme.write({
        let race = race.clone();
        move |tx| {
            let references = tx.end_user_references(end_user_id(1))?;
            race.let_rival_pass();
            Ok(references == 0 && tx.end_user_delete(end_user_id(1))?)
        }
    });
    let assigning = async {
        match stage.acme.edit(1, |device| device.end_user = Some(end_user_id(1))).await {
            Ok(_) => Ok(true),
            Err(failed) if matches!(failed.error(), StoreError::Refused(_)) => Ok(false),
            Err(failed) => Err(failed),
        }
    };
    let [deleted, assigned] = race.run(deleting, assigning).await?;
    assert_ne!(deleted, assigned);
    assert_eq!(stage.acme.end_user(1).await?.is_some(), assigned);
    Ok(())
}
