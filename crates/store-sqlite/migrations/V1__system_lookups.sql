-- What is looked up before the reseller is known. These tables lie outside tenancy and hold nothing
-- but what the lookup needs; none of them refers to a table of a reseller's data.

CREATE TABLE api_key_hash (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    reseller_id BLOB NOT NULL CHECK (length(reseller_id) = 16),
    key_id BLOB NOT NULL CHECK (length(key_id) = 16)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_hash_by_key ON api_key_hash (reseller_id, key_id);

CREATE TABLE tenant_name (
    key TEXT PRIMARY KEY,
    reseller_id BLOB NOT NULL CHECK (length(reseller_id) = 16)
) STRICT, WITHOUT ROWID;

-- One claim per EUI makes it unique among the live devices of all resellers.
CREATE TABLE eui_claim (
    eui INTEGER PRIMARY KEY,
    reseller_id BLOB NOT NULL CHECK (length(reseller_id) = 16),
    UNIQUE (eui, reseller_id)
) STRICT;

CREATE INDEX eui_claim_by_reseller ON eui_claim (reseller_id);

CREATE TABLE spool_position (
    spool_id BLOB PRIMARY KEY CHECK (length(spool_id) = 16),
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE quota_lease (
    spool_id BLOB NOT NULL CHECK (length(spool_id) = 16),
    reseller_id BLOB NOT NULL CHECK (length(reseller_id) = 16),
    month INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (spool_id, reseller_id, month)
) STRICT, WITHOUT ROWID;

CREATE INDEX quota_lease_by_reseller ON quota_lease (reseller_id, month);

CREATE TABLE server_secret (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    secret BLOB NOT NULL
) STRICT;
