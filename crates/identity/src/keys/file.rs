//! Keys in a file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{KeySet, KeySource, NoKeys};

/// How many bytes the file may have.
const MOST_BYTES: u64 = 1 << 20;

/// How often it is looked at.
const MAX_AGE: Duration = Duration::from_secs(60);

/// A JSON Web Key Set in a file. It is read again when it was changed.
#[derive(Debug, Clone)]
pub struct KeyFile {
    path: PathBuf,
    last: Arc<Mutex<Option<(SystemTime, KeySet)>>>,
}

impl KeyFile {
    /// The keys in that file.
    pub fn new(path: PathBuf) -> Self {
        Self { path, last: Arc::default() }
    }

    fn read(&self) -> Result<KeySet, NoKeys> {
        let path = self.path.as_path();
        let unreadable = |error| NoKeys(format!("{path:?} cannot be read: {error}"));
        let file = File::open(path).map_err(unreadable)?;
        let changed_at = file.metadata().and_then(|data| data.modified()).map_err(unreadable)?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, keys)) = last.as_ref().filter(|(at, _)| *at == changed_at) {
            return Ok(keys.clone());
        }
        let keys = parse(path, file)?;
        *last = Some((changed_at, keys.clone()));
        Ok(keys)
    }
}

fn parse(path: &Path, file: File) -> Result<KeySet, NoKeys> {
    let mut document = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut document)
        .map_err(|error| NoKeys(format!("{path:?} cannot be read: {error}")))?;
    if document.len() as u64 > MOST_BYTES {
        return Err(NoKeys(format!("{path:?} has more than {MOST_BYTES} bytes")));
    }
    KeySet::parse(&document).map_err(|error| NoKeys(format!("{path:?}: {error}")))
}

impl KeySource for KeyFile {
    fn fetch(&self) -> BoxFuture<'_, Result<KeySet, NoKeys>> {
        let file = self.clone();
        async {
            let read = tokio::task::spawn_blocking(move || file.read()).await;
            read.unwrap_or_else(|error| Err(NoKeys::because(&error)))
        }
        .boxed()
    }

    fn max_age(&self) -> Duration {
        MAX_AGE
    }
}
