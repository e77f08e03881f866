//! Sessions of those who signed in.

use uuid::Uuid;
use weir_domain::SessionId;
use weir_domain::person::{Person, Subject};

use super::failure::{Outcome, assert_refused};
use super::fixtures::{at, email, key_hash};
use super::race::Race;
use super::stage::Stage;
use crate::{Session, SystemTx};

fn id(number: u128) -> SessionId {
    SessionId::from_uuid(Uuid::from_u128(number))
}

fn subject() -> Option<Subject> {
    Subject::new("https://id.example", "User-1").ok()
}

/// The session of that number, begun in the second of that number.
fn session(number: u8) -> Session {
    Session {
        id: id(u128::from(number)),
        person: email("ada@example.org").into(),
        refresh: key_hash(number),
        previous: None,
        refreshed_at: at(i64::from(number)),
        created_at: at(i64::from(number)),
        expires_at: at(i64::from(number) + 1_000),
    }
}

async fn begin(stage: &Stage, session: &Session) -> Outcome {
    let session = session.clone();
    stage.sign_in(move |tx| Ok(tx.session_insert(&session)?)).await
}

async fn find(stage: &Stage, id: SessionId) -> Outcome<Option<Session>> {
    let found = stage.sign_in(move |tx| Ok([tx.session(id)?, tx.session_lock(id)?])).await?;
    let [found, locked] = found;
    assert_eq!(found, locked);
    Ok(found)
}

/// Every field comes back as it was inserted, whatever is known of the person; expired or not.
pub async fn is_read_as_begun(stage: Stage) -> Outcome {
    let both = Person { email: Some(email("ada@exämple.org")), subject: subject() };
    let sessions = [
        session(1),
        Session { person: Person { email: None, subject: subject() }, ..session(2) },
        Session {
            person: both,
            previous: Some(key_hash(9)),
            refreshed_at: at(7),
            expires_at: at(-9),
            ..session(3)
        },
    ];
    for session in &sessions {
        begin(&stage, session).await?;
    }
    for session in sessions {
        assert_eq!(find(&stage, session.id).await?, Some(session));
    }
    assert_eq!(find(&stage, id(9)).await?, None);
    assert_refused(begin(&stage, &session(1)).await);
    Ok(())
}

/// An update keeps the tokens, the time of their change and the end, and nothing else; what is not
/// there cannot be updated.
pub async fn update_keeps_tokens_and_times(stage: Stage) -> Outcome {
    begin(&stage, &session(1)).await?;
    begin(&stage, &session(2)).await?;
    let update = Session {
        person: email("eve@example.org").into(),
        refresh: key_hash(7),
        previous: Some(key_hash(1)),
        refreshed_at: at(50),
        created_at: at(60),
        expires_at: at(70),
        ..session(1)
    };
    let stored = update.clone();
    stage.sign_in(move |tx| Ok(tx.session_update(&stored)?)).await?;
    let expected = Session { person: session(1).person, created_at: at(1), ..update };
    assert_eq!(find(&stage, id(1)).await?, Some(expected.clone()));
    let without = Session { previous: None, ..expected };
    let stored = without.clone();
    stage.sign_in(move |tx| Ok(tx.session_update(&stored)?)).await?;
    assert_eq!(find(&stage, id(1)).await?, Some(without));
    assert_eq!(find(&stage, id(2)).await?, Some(session(2)));
    assert_refused(stage.sign_in(|tx| Ok(tx.session_update(&session(9))?)).await);
    assert_eq!(find(&stage, id(9)).await?, None);
    Ok(())
}

/// Changes the refresh token to that of that number; which one it was.
fn refresh(tx: &mut dyn SystemTx, number: u8) -> Outcome<u8> {
    let missing = || crate::StoreError::Broken("the session is gone".into());
    let mut session = tx.session_lock(id(1))?.ok_or_else(missing)?;
    let before = session.refresh;
    session.previous = Some(before);
    session.refresh = key_hash(number);
    tx.session_update(&session)?;
    Ok(before.0[31])
}

/// Of two who refresh a session at once, the second finds what the first has left, also after having
/// read before.
pub async fn refreshes_at_once_are_not_lost(stage: Stage) -> Outcome {
    begin(&stage, &session(1)).await?;
    let race = Race::default();
    let slower = stage.sign_in({
        let race = race.clone();
        move |tx| {
            tx.session(id(1))?;
            race.let_rival_pass();
            refresh(tx, 2)
        }
    });
    let rival = stage.sign_in(|tx| refresh(tx, 3));
    let found = race.run(slower, rival).await?;
    let last = find(&stage, id(1)).await?.map(|session| session.refresh.0[31]);
    assert!(
        (found, last) == ([1, 2], Some(3)) || (found, last) == ([3, 1], Some(2)),
        "{found:?} was found before {last:?}"
    );
    Ok(())
}

/// A session that is locked ends when the transaction that holds it has ended, and not before.
pub async fn locked_one_is_ended_afterwards(stage: Stage) -> Outcome {
    begin(&stage, &session(1)).await?;
    let race = Race::default();
    let holder = stage.sign_in({
        let race = race.clone();
        move |tx| {
            tx.session_lock(id(1))?;
            race.let_rival_pass();
            Ok(tx.session(id(1))?.is_some())
        }
    });
    let rival = stage.sign_in(|tx| Ok(tx.session_delete(id(1))?));
    assert_eq!(race.run(holder, rival).await?, [true, true]);
    assert_eq!(find(&stage, id(1)).await?, None);
    Ok(())
}

/// A session is ended once; others go on.
pub async fn ends_once(stage: Stage) -> Outcome {
    begin(&stage, &session(1)).await?;
    begin(&stage, &session(2)).await?;
    let ended = stage.sign_in(|tx| Ok([tx.session_delete(id(1))?, tx.session_delete(id(1))?]));
    assert_eq!(ended.await?, [true, false]);
    assert_eq!(find(&stage, id(1)).await?, None);
    assert_eq!(find(&stage, id(2)).await?, Some(session(2)));
    Ok(())
}

/// Sessions that expired before a moment are forgotten, those that expire at it or after it are not.
pub async fn is_forgotten_after_it_has_expired(stage: Stage) -> Outcome {
    for number in 1..=3 {
        begin(&stage, &session(number)).await?;
    }
    stage.sign_in(|tx| Ok(tx.sign_ins_prune(at(1_002))?)).await?;
    assert_eq!(find(&stage, id(1)).await?, None);
    assert_eq!(find(&stage, id(2)).await?, Some(session(2)));
    assert_eq!(find(&stage, id(3)).await?, Some(session(3)));
    Ok(())
}
