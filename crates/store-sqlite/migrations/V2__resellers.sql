-- Resellers and what belongs to them but meters.

CREATE TABLE reseller (
    id BLOB PRIMARY KEY CHECK (length(id) = 16),
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    tier TEXT NOT NULL,
    monthly_quota INTEGER NOT NULL,
    timezone TEXT NOT NULL,
    is_closing INTEGER NOT NULL CHECK (is_closing IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reseller_alias (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    name TEXT NOT NULL,
    PRIMARY KEY (reseller_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    name TEXT NOT NULL,
    sealed BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, id),
    UNIQUE (reseller_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE customer (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE end_user (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    name TEXT NOT NULL,
    customer_id BLOB,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, id),
    FOREIGN KEY (reseller_id, customer_id) REFERENCES customer (reseller_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX end_user_by_customer ON end_user (reseller_id, customer_id)
    WHERE customer_id IS NOT NULL;
