//! Asking the store on the way of an uplink that can do without the answer.
//!
//! A store that is away says so at once. One that says nothing at all, because its machine hangs or the
//! network is cut, is noticed only after a while; until then nobody whose uplink is known to be good
//! may wait for it longer than network servers wait for us, which is 5 seconds.

use std::time::Duration;

use weir_store::StoreError;

/// How long the answer is waited for.
const PROMPTLY: Duration = Duration::from_secs(1);

/// The answer, if it comes promptly; else the store counts as away.
pub(crate) async fn promptly<R>(
    asked: impl Future<Output = Result<R, StoreError>>,
) -> Result<R, StoreError> {
    let silent = |_| StoreError::Unavailable("it does not answer".into());
    tokio::time::timeout(PROMPTLY, asked).await.map_err(silent)?
}
