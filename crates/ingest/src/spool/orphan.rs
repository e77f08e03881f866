//! Spools that dead processes left behind.

use std::io;
use std::path::{Path, PathBuf};

use weir_domain::SpoolId;

use super::place::{self, Claim, Gate};
use super::replay::{self, Replay};
use super::segment::{self, Opening};

/// A spool whose process has died, claimed by this one: to be replayed, settled, and removed.
#[derive(Debug)]
pub struct Orphan {
    id: SpoolId,
    root: PathBuf,
    #[expect(dead_code, reason = "held for its lock")]
    claim: Claim,
}

impl Orphan {
    /// The id that was born with the spool.
    pub fn id(&self) -> SpoolId {
        self.id
    }

    /// Its records behind the sequence through which it is settled already (0: none is). Records
    /// between there and the first segment count as missing, for only settled ones are trimmed.
    pub fn records(&self, settled: u64) -> io::Result<Replay> {
        Replay::new(&place::directory(&self.root, self.id), self.id, settled)
    }

    /// Deletes its records. All that can be read of it has to be settled. From then on its position
    /// may be forgotten: should this process die before the directory is removed, the next one finds
    /// nothing to replay.
    pub fn clear(&self) -> io::Result<()> {
        place::clear(&self.root, self.id)
    }

    /// Removes its directory. All that can be read of it has to be settled.
    pub fn remove(self) -> io::Result<()> {
        place::remove(&Gate::enter(&self.root)?, &self.root, self.id)
    }
}

/// Claims the spools under this root that belong to no living process. Those that hold nothing are
/// among them: what the store keeps under their ids has to be forgotten too.
///
/// A directory that cannot be judged (of another format version, with another spool's segments, or
/// unreadable) is left as it is, with a warning in the log: it must not keep the others waiting.
pub fn orphans(root: &Path, except: SpoolId) -> io::Result<Vec<Orphan>> {
    let _gate = Gate::enter(root)?;
    let mut orphans = Vec::new();
    for id in place::list(root)? {
        if id == except {
            continue;
        }
        match adopt(root, id) {
            Ok(orphan) => orphans.extend(orphan),
            Err(error) => tracing::warn!(%error, spool = %id, "a spool is left where it is"),
        }
    }
    Ok(orphans)
}

fn adopt(root: &Path, id: SpoolId) -> io::Result<Option<Orphan>> {
    let directory = place::directory(root, id);
    let Some(claim) = Claim::of(&directory)? else {
        return Ok(None);
    };
    for first in segment::list(&directory)? {
        let stranger = match replay::open(&segment::path(&directory, first))?.1 {
            Opening::Readable(header) => header.id != id || header.first != first,
            Opening::OtherVersion => true,
            Opening::Unreadable => false,
        };
        if stranger {
            return Err(io::Error::other(format!(
                "segment {first} is of another spool or another version of this program"
            )));
        }
    }
    Ok(Some(Orphan { id, root: root.to_owned(), claim }))
}
