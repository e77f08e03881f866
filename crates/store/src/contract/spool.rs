//! Positions of spools, and the server's secret.

use super::failure::Outcome;
use super::fixtures::{MONTH, spool};
use super::race::{Race, crowd};
use super::stage::Stage;
use crate::{Lanes, Positions, SystemTx};

/// A lane's position is 0 before the first, then the farthest that was stored; lanes and spools are
/// apart.
pub async fn position_is_the_farthest_stored(stage: Stage) -> Outcome {
    let (some, all) = (Lanes::numbered(2..4), Lanes::ALL);
    let first = stage.settle(move |tx| {
        let before = tx.spool_positions(spool(1))?;
        tx.spool_position_store(spool(1), &some, 5)?;
        Ok((before, tx.spool_positions(spool(1))?))
    });
    assert_eq!(first.await?, (Positions::default(), Positions::stored([(2, 5), (3, 5)])));
    let mixed = stage.settle(move |tx| {
        tx.spool_position_store(spool(1), &all, 4)?;
        Ok(tx.spool_positions(spool(1))?)
    });
    let expected = Positions::stored(
        Lanes::ALL
            .each()
            .map(|lane| (lane.number(), if [2, 3].contains(&lane.number()) { 5 } else { 4 })),
    );
    assert_eq!(mixed.await?, expected);
    let farthest = i64::MAX as u64;
    let last = stage.settle(move |tx| {
        tx.spool_position_store(spool(1), &Lanes::ALL, farthest)?;
        Ok([tx.spool_positions(spool(1))?.lowest(), tx.spool_positions(spool(2))?.lowest()])
    });
    assert_eq!(last.await?, [farthest, 0]);
    Ok(())
}

/// Settlers of one spool follow each other, from its first position on, also after having read
/// before.
pub async fn settlers_follow_each_other(stage: Stage) -> Outcome {
    let settle = |tx: &mut dyn SystemTx| {
        let position = tx.spool_positions(spool(1))?.lowest();
        tx.spool_position_store(spool(1), &Lanes::ALL, position + 1)?;
        Ok(position)
    };
    let race = Race::default();
    let slower = stage.settle({
        let race = race.clone();
        move |tx| {
            tx.resellers()?;
            race.let_rival_pass();
            settle(tx)
        }
    });
    let mut positions = race.run(slower, stage.settle(settle)).await?.to_vec();
    positions.extend(crowd(10, |_| stage.settle(settle)).await?);
    positions.sort();
    assert_eq!(positions, (0..12).collect::<Vec<_>>());
    Ok(())
}

/// A forgotten spool has no position and no lease with anyone; others keep theirs.
pub async fn forgotten_with_its_leases(stage: Stage) -> Outcome {
    let tenants = [&stage.acme, &stage.globex];
    for tenant in tenants {
        tenant
            .write(|tx| {
                tx.quota_lease(MONTH, spool(1), 10)?;
                Ok(tx.quota_lease(MONTH, spool(2), 20)?)
            })
            .await?;
    }
    let positions = stage.settle(|tx| {
        tx.spool_position_store(spool(1), &Lanes::ALL, 5)?;
        tx.spool_position_store(spool(2), &Lanes::ALL, 6)?;
        tx.spool_forget(spool(1))?;
        tx.spool_forget(spool(9))?;
        Ok([tx.spool_positions(spool(1))?.lowest(), tx.spool_positions(spool(2))?.lowest()])
    });
    assert_eq!(positions.await?, [0, 6]);
    for tenant in tenants {
        assert_eq!(tenant.facts(MONTH).await?.leased, 20);
        assert_eq!(tenant.lease_holders().await?, 1);
    }
    Ok(())
}

/// The first secret is kept, byte for byte, and everyone gets it.
pub async fn secret_is_the_first_one(stage: Stage) -> Outcome {
    let every_byte: Vec<u8> = (0..=255).collect();
    let first = every_byte.clone();
    let kept = stage.administer(move |tx| Ok(tx.secret_keep(&first)?)).await?;
    assert_eq!(kept, every_byte);
    let kept = stage.administer(|tx| Ok([tx.secret_keep(b"second")?, tx.secret_keep(b"third")?]));
    assert_eq!(kept.await?, [every_byte.clone(), every_byte]);
    Ok(())
}

/// Of several nodes that bring a secret at once, all go away with the same.
pub async fn secrets_at_once_have_one_winner(stage: Stage) -> Outcome {
    let kept =
        crowd(8, |turn| stage.administer(move |tx| Ok(tx.secret_keep(&[turn as u8; 32])?))).await?;
    assert!((0..8).any(|turn| kept[0] == [turn; 32]), "{:?}", kept[0]);
    assert!(kept.iter().all(|secret| *secret == kept[0]), "{kept:?}");
    Ok(())
}
