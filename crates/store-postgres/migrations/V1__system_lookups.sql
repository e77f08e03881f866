-- What is looked up before the reseller is known. These tables lie outside tenancy, so they hold
-- nothing but what the lookup needs.

CREATE TABLE api_key_hash (
    hash        bytea PRIMARY KEY CHECK (length(hash) = 32),
    reseller_id uuid NOT NULL,
    key_id      uuid NOT NULL
);
CREATE INDEX api_key_hash_by_key ON api_key_hash (reseller_id, key_id);

CREATE TABLE tenant_name (
    key         text PRIMARY KEY,
    reseller_id uuid NOT NULL
);
CREATE INDEX tenant_name_by_reseller ON tenant_name (reseller_id);

-- Who has the live device of an EUI, across all resellers.
CREATE TABLE eui_claim (
    eui         bigint PRIMARY KEY,
    reseller_id uuid NOT NULL,
    UNIQUE (eui, reseller_id)
);
CREATE INDEX eui_claim_by_reseller ON eui_claim (reseller_id);

CREATE TABLE spool_position (
    spool_id uuid PRIMARY KEY,
    sequence bigint NOT NULL CHECK (sequence >= 0)
);

-- Here because a spool that is gone gives back its leases with all resellers.
CREATE TABLE quota_lease (
    spool_id    uuid NOT NULL,
    reseller_id uuid NOT NULL,
    month       integer NOT NULL,
    amount      bigint NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (spool_id, reseller_id, month)
);
CREATE INDEX quota_lease_by_reseller ON quota_lease (reseller_id, month);

CREATE TABLE server_secret (
    is_the_one boolean PRIMARY KEY DEFAULT true CHECK (is_the_one),
    secret     bytea NOT NULL
);
