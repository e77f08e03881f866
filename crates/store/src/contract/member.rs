//! Members, and where people are found to be members.

use weir_domain::member::{Member, Role};
use weir_domain::person::Identity;
use weir_domain::{MemberId, ResellerId};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{at, by_email, by_subject, member, reseller};
use super::race::{Race, crowd};
use super::stage::Stage;

const ISSUER: &str = "https://id.example";

/// Where someone who is known by these is a member.
async fn memberships(stage: &Stage, known: &[Identity]) -> Outcome<Vec<(ResellerId, MemberId)>> {
    let known = known.to_vec();
    stage.authenticate(move |tx| Ok(tx.memberships(&known)?)).await
}

/// Every field comes back as it was inserted, by id and by identity.
pub async fn is_read_as_inserted(stage: Stage) -> Outcome {
    let longest = "🚰".repeat(255);
    let inserted = [
        Member { role: Role::Admin, ..member(1, by_email("ada+weir@exämple.org"), 1) },
        Member { role: Role::Viewer, ..member(2, by_subject(&longest, &longest), 2) },
        Member { created_at: at(-9), ..member(u128::MAX, by_subject(ISSUER, "'; --"), 3) },
    ];
    for member in inserted {
        assert!(stage.acme.add_member(&member).await?);
        let (id, identity) = (member.id, member.identity.clone());
        let found = stage.acme.read(move |tx| Ok([tx.member(id)?, tx.member_known_by(&identity)?]));
        assert_eq!(found.await?, [Some(member.clone()), Some(member)]);
    }
    Ok(())
}

/// Members come oldest first, those of the same time by id.
pub async fn list_is_oldest_first(stage: Stage) -> Outcome {
    assert_eq!(stage.acme.members().await?, []);
    let oldest = member(50, by_email("z@example.org"), 1);
    let low = member(2, by_email("y@example.org"), 2);
    let high = member(u128::MAX - 1, by_subject(ISSUER, "a"), 2);
    let newest = member(1, by_email("a@example.org"), 3);
    for member in [&high, &newest, &oldest, &low] {
        stage.acme.add_member(member).await?;
    }
    assert_eq!(stage.acme.members().await?, [oldest, low, high, newest]);
    assert_eq!(stage.globex.members().await?, []);
    Ok(())
}

/// Identities are told apart to the letter, by kind and by issuer.
pub async fn what_is_not_there_is_not_found(stage: Stage) -> Outcome {
    stage.acme.add_member(&member(1, by_email("ada@example.org"), 1)).await?;
    stage.acme.add_member(&member(2, by_subject(ISSUER, "User-1"), 1)).await?;
    let strangers = [
        by_email("ada@example.or"),
        by_email("_da@example.org"),
        by_subject(ISSUER, "ada@example.org"),
        by_subject(ISSUER, "user-1"),
        by_subject(ISSUER, "User-1 "),
        by_subject("https://id.example/", "User-1"),
    ];
    for stranger in strangers {
        assert_eq!(memberships(&stage, std::slice::from_ref(&stranger)).await?, []);
        let known = stranger.clone();
        let found = stage.acme.read(move |tx| Ok(tx.member_known_by(&known)?)).await?;
        assert_eq!(found, None, "{stranger}");
    }
    let nobody = member(9, by_email("x@example.org"), 1).id;
    assert_eq!(stage.acme.read(move |tx| Ok(tx.member(nobody)?)).await?, None);
    assert_eq!(memberships(&stage, &[]).await?, []);
    Ok(())
}

/// An identity is taken within its reseller, and nowhere else; an id is taken whoever it is.
pub async fn identity_is_taken_within_its_reseller(stage: Stage) -> Outcome {
    let first = member(1, by_email("ada@example.org"), 1);
    assert!(stage.acme.add_member(&first).await?);
    assert!(!stage.acme.add_member(&member(2, first.identity.clone(), 2)).await?);
    assert!(!stage.acme.add_member(&first).await?);
    assert_refused(stage.acme.add_member(&member(1, by_subject(ISSUER, "ada"), 2)).await);
    assert!(stage.globex.add_member(&member(3, first.identity.clone(), 3)).await?);
    assert_eq!(stage.acme.members().await?, std::slice::from_ref(&first));
    let expected = [(stage.acme.id(), first.id), (stage.globex.id(), member_id(3))];
    assert_eq!(memberships(&stage, &[first.identity, by_subject(ISSUER, "ada")]).await?, expected);
    assert_refused(stage.stranger().add_member(&member(1, by_email("a@b"), 1)).await);
    assert_eq!(memberships(&stage, &[by_email("a@b")]).await?, []);
    Ok(())
}

fn member_id(number: u128) -> MemberId {
    member(number, by_email("a@b"), 0).id
}

/// A member is deleted once, by its reseller, and what it was known by is free again.
pub async fn delete_says_whether_it_was_there(stage: Stage) -> Outcome {
    let (ada, bob) = (member(1, by_email("ada@b"), 1), member(2, by_email("bob@b"), 1));
    let id = ada.id;
    stage.acme.add_member(&ada).await?;
    stage.acme.add_member(&bob).await?;
    stage.globex.add_member(&member(2, by_email("ada@b"), 1)).await?;
    assert!(!stage.globex.write(move |tx| Ok(tx.member_delete(id)?)).await?);
    assert_eq!(stage.acme.members().await?, [ada.clone(), bob.clone()]);
    let deleted = stage.acme.write(move |tx| Ok([tx.member_delete(id)?, tx.member_delete(id)?]));
    assert_eq!(deleted.await?, [true, false]);
    assert_eq!(stage.acme.members().await?, std::slice::from_ref(&bob));
    let again = member(3, ada.identity, 2);
    assert!(stage.acme.add_member(&again).await?);
    assert_eq!(stage.acme.members().await?, [bob, again]);
    Ok(())
}

/// Two who are each deleted unless they are the last cannot both be: whoever locks the members sees what
/// others did who locked them before.
pub async fn locked_ones_are_not_deleted_unseen(stage: Stage) -> Outcome {
    let pair = [member(1, by_email("ada@b"), 1), member(2, by_email("bob@b"), 1)];
    for member in &pair {
        stage.acme.add_member(member).await?;
    }
    let race = Race::default();
    let delete_unless_last = |id: MemberId, meet: Option<Race>| {
        stage.acme.write(move |tx| {
            tx.lock_members()?;
            let is_last = tx.members()?.len() == 1;
            if let Some(race) = &meet {
                race.let_rival_pass();
            }
            Ok(!is_last && tx.member_delete(id)?)
        })
    };
    let slower = delete_unless_last(pair[0].id, Some(race.clone()));
    let deleted = race.run(slower, delete_unless_last(pair[1].id, None)).await?;
    assert_eq!(deleted.iter().filter(|deleted| **deleted).count(), 1, "{deleted:?}");
    assert_eq!(stage.acme.members().await?.len(), 1);
    Ok(())
}

/// Of several who become members at once by the same identity, one does.
pub async fn inserts_at_once_have_one_winner(stage: Stage) -> Outcome {
    let known = by_email("ada@example.org");
    let insert = |turn: usize| {
        let (tenant, new) = (stage.acme.clone(), member(turn as u128, known.clone(), 1));
        async move { Ok((tenant.add_member(&new).await?, new)) }
    };
    let tried = crowd(8, insert).await?;
    let won: Vec<_> = tried.into_iter().filter_map(|(won, new)| won.then_some(new)).collect();
    assert_eq!(won.len(), 1, "{won:?}");
    assert_eq!(stage.acme.members().await?, won);
    assert_eq!(memberships(&stage, &[known]).await?, [(stage.acme.id(), won[0].id)]);
    Ok(())
}

/// Someone is found wherever they are a member by anything they are known by: in the order of
/// resellers and members, each member once.
pub async fn memberships_are_by_reseller_and_each_once(stage: Stage) -> Outcome {
    let (acme, globex) = (stage.acme.id(), stage.globex.id());
    let (email, subject) = (by_email("ada@example.org"), by_subject(ISSUER, "ada"));
    stage.globex.add_member(&member(7, email.clone(), 1)).await?;
    stage.acme.add_member(&member(9, email.clone(), 1)).await?;
    stage.acme.add_member(&member(8, subject.clone(), 2)).await?;
    stage.acme.add_member(&member(1, by_email("bob@example.org"), 3)).await?;
    let by_address = [(acme, member_id(9)), (globex, member_id(7))];
    assert_eq!(memberships(&stage, std::slice::from_ref(&email)).await?, by_address);
    let twice = [email.clone(), email.clone()];
    assert_eq!(memberships(&stage, &twice).await?, by_address);
    let by_either = [(acme, member_id(8)), (acme, member_id(9)), (globex, member_id(7))];
    assert_eq!(memberships(&stage, &[email.clone(), subject.clone()]).await?, by_either);
    assert_eq!(memberships(&stage, &[subject.clone(), email]).await?, by_either);
    // A passage into one reseller narrows nothing.
    let known = [subject];
    let found = stage.sign_in(move |tx| {
        tx.scoped(globex)?;
        Ok(tx.memberships(&known)?)
    });
    assert_eq!(found.await?, [(acme, member_id(8))]);
    Ok(())
}

/// Members are found the moment they are inserted, no more the moment they are deleted, and as before
/// where it is undone.
pub async fn memberships_follow_their_members(stage: Stage) -> Outcome {
    let acme = stage.acme.id();
    let ada = member(1, by_email("ada@example.org"), 1);
    let known = [ada.identity.clone()];
    let within = stage.administer(move |tx| {
        tx.scoped(acme)?.member_insert(&ada)?;
        let inserted = tx.memberships(&known)?;
        tx.scoped(acme)?.member_delete(ada.id)?;
        let deleted = tx.memberships(&known)?;
        tx.scoped(acme)?.member_insert(&ada)?;
        Ok([inserted, deleted])
    });
    assert_eq!(within.await?, [vec![(acme, member_id(1))], Vec::new()]);
    let undone = stage.acme.write(|tx| {
        tx.member_delete(member_id(1))?;
        tx.member_insert(&member(2, by_email("bob@example.org"), 1))?;
        Err::<(), _>(crate::StoreError::Refused("on purpose".into()).into())
    });
    assert_refused(undone.await);
    let known = [by_email("ada@example.org"), by_email("bob@example.org")];
    assert_eq!(memberships(&stage, &known).await?, [(acme, member_id(1))]);
    Ok(())
}

/// Nobody is found with a reseller that was deleted; with others they still are.
pub async fn memberships_go_with_their_reseller(stage: Stage) -> Outcome {
    let known = by_email("ada@example.org");
    for tenant in [&stage.acme, &stage.globex] {
        tenant.add_member(&member(1, known.clone(), 1)).await?;
    }
    stage.acme.write(|tx| Ok(tx.reseller_delete()?)).await?;
    let left = [(stage.globex.id(), member_id(1))];
    assert_eq!(memberships(&stage, std::slice::from_ref(&known)).await?, left);
    stage.acme.insert(&reseller(stage.acme.id(), "acme")).await?;
    assert_eq!(stage.acme.members().await?, []);
    assert!(stage.acme.add_member(&member(1, known, 1)).await?);
    Ok(())
}
