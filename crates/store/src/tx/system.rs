//! What is looked up before the reseller is known.

use weir_domain::{ApiKeyId, ResellerId, SpoolId};

use super::sign_in::SignInTx;
use crate::{KeyHash, Lanes, Positions, StoreResult, WriteTx};

/// A transaction across resellers: lookups that come before a reseller is known, and the passage into
/// one reseller after another.
pub trait SystemTx: SignInTx {
    /// The same transaction, scoped to one reseller until the next call. The reseller need not exist.
    fn scoped(&mut self, reseller: ResellerId) -> StoreResult<&mut dyn WriteTx>;

    /// Every reseller, by id.
    fn resellers(&mut self) -> StoreResult<Vec<ResellerId>>;

    /// Whose an API key is.
    fn api_key_owner(&mut self, hash: &KeyHash) -> StoreResult<Option<(ResellerId, ApiKeyId)>>;

    /// Makes an API key of a reseller found by a hash.
    fn api_key_publish(
        &mut self,
        hash: &KeyHash,
        reseller: ResellerId,
        key: ApiKeyId,
    ) -> StoreResult<()>;

    /// Makes an API key of a reseller found no more.
    fn api_key_withdraw(&mut self, reseller: ResellerId, key: ApiKeyId) -> StoreResult<()>;

    /// Whose a tenant name is; `key` in the form in which tenant names are compared.
    fn tenant_name_owner(&mut self, key: &str) -> StoreResult<Option<ResellerId>>;

    /// Claims a tenant name; false where another reseller has it.
    fn tenant_name_claim(&mut self, key: &str, reseller: ResellerId) -> StoreResult<bool>;

    /// Releases a tenant name of a reseller.
    fn tenant_name_release(&mut self, key: &str, reseller: ResellerId) -> StoreResult<()>;

    /// Up to which sequence each lane of a spool is settled: 0 before the first. Nobody else settles
    /// it until the transaction ends.
    fn spool_positions(&mut self, spool: SpoolId) -> StoreResult<Positions>;

    /// Remembers up to which sequence these lanes of a spool are settled. Those that are farther
    /// already stay where they are.
    fn spool_position_store(
        &mut self,
        spool: SpoolId,
        lanes: &Lanes,
        sequence: u64,
    ) -> StoreResult<()>;

    /// Forgets a spool that is settled and gone, with the leases it held.
    fn spool_forget(&mut self, spool: SpoolId) -> StoreResult<()>;

    /// Keeps the server's secret if there is none yet, and returns the one that is kept.
    fn secret_keep(&mut self, secret: &[u8]) -> StoreResult<Vec<u8>>;
}
