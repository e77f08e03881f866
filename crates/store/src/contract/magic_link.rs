//! Links that were sent to addresses.

use super::failure::{Outcome, assert_refused};
use super::fixtures::{at, email, key_hash};
use super::race::crowd;
use super::stage::Stage;
use crate::MagicLink;

/// The link of that number, asked for by the browser of that number and sent to that address in that
/// second.
fn link(number: u8, browser: u8, address: &str, second: i64) -> MagicLink {
    MagicLink {
        hash: key_hash(number),
        browser: key_hash(browser),
        email: email(address),
        created_at: at(second),
        expires_at: at(second + 900),
    }
}

async fn send(stage: &Stage, links: &[MagicLink]) -> Outcome {
    let links = links.to_vec();
    stage.sign_in(move |tx| Ok(links.iter().try_for_each(|link| tx.magic_link_insert(link))?)).await
}

/// Uses the link of that number in the browser of that number.
async fn follow(stage: &Stage, number: u8, browser: u8) -> Outcome<Option<MagicLink>> {
    stage.sign_in(move |tx| Ok(tx.magic_link_use(&key_hash(number), &key_hash(browser))?)).await
}

/// A link is returned as it was kept to the first who uses it, and to nobody afterwards. The same one
/// is not kept twice.
pub async fn is_used_once(stage: Stage) -> Outcome {
    let (first, second) = (link(1, 7, "ada+weir@exämple.org", 1), link(2, 7, "ada@example.org", 2));
    send(&stage, &[first.clone(), second.clone()]).await?;
    assert_refused(send(&stage, &[link(1, 8, "eve@example.org", 3)]).await);
    assert_eq!(follow(&stage, 1, 7).await?, Some(first));
    assert_eq!(follow(&stage, 1, 7).await?, None);
    assert_eq!(follow(&stage, 2, 7).await?, Some(second));
    assert_eq!(follow(&stage, 3, 7).await?, None);
    Ok(())
}

/// A link that another browser presents is not used up by it.
pub async fn stays_when_another_browser_presents_it(stage: Stage) -> Outcome {
    let sent = link(1, 7, "ada@example.org", 1);
    send(&stage, std::slice::from_ref(&sent)).await?;
    for browser in [8, 1] {
        assert_eq!(follow(&stage, 1, browser).await?, None);
    }
    assert_eq!(follow(&stage, 1, 7).await?, Some(sent));
    Ok(())
}

/// Whether a link has expired is not for the store to say.
pub async fn is_returned_when_it_has_expired(stage: Stage) -> Outcome {
    let expired = MagicLink { expires_at: at(-1_000), ..link(1, 7, "ada@example.org", -2_000) };
    send(&stage, std::slice::from_ref(&expired)).await?;
    assert_eq!(follow(&stage, 1, 7).await?, Some(expired));
    Ok(())
}

/// Links that were sent to an address at a moment or after it are counted, used ones too.
pub async fn sent_ones_are_counted(stage: Stage) -> Outcome {
    let links = [
        link(1, 7, "ada@example.org", 9),
        link(2, 7, "ada@example.org", 10),
        link(3, 8, "ada@example.org", 11),
        link(4, 7, "bob@example.org", 11),
    ];
    send(&stage, &links).await?;
    follow(&stage, 3, 8).await?;
    let counts = stage.sign_in(|tx| {
        let (ada, eve) = (email("Ada@Example.org"), email("%@example.org"));
        Ok([
            tx.magic_links_sent(&ada, at(9))?,
            tx.magic_links_sent(&ada, at(10))?,
            tx.magic_links_sent(&ada, at(12))?,
            tx.magic_links_sent(&eve, at(9))?,
        ])
    });
    assert_eq!(counts.await?, [3, 2, 0, 0]);
    Ok(())
}

/// Of several who use a link at once, one does.
pub async fn uses_at_once_have_one_winner(stage: Stage) -> Outcome {
    let sent = link(1, 7, "ada@example.org", 1);
    send(&stage, std::slice::from_ref(&sent)).await?;
    let used = crowd(8, |_| follow(&stage, 1, 7)).await?;
    assert_eq!(used.into_iter().flatten().collect::<Vec<_>>(), [sent]);
    Ok(())
}

/// Links that expired before a moment are forgotten, those that expire at it or after it are not.
pub async fn is_forgotten_after_it_has_expired(stage: Stage) -> Outcome {
    let links = [link(1, 7, "ada@b", 1), link(2, 7, "ada@b", 2), link(3, 7, "ada@b", 3)];
    send(&stage, &links).await?;
    let left = stage.sign_in(|tx| {
        tx.sign_ins_prune(at(902))?;
        Ok(tx.magic_links_sent(&email("ada@b"), at(0))?)
    });
    assert_eq!(left.await?, 2);
    assert_eq!(follow(&stage, 1, 7).await?, None);
    assert_eq!(follow(&stage, 2, 7).await?, Some(links[1].clone()));
    Ok(())
}
