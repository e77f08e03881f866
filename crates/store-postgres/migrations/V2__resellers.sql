-- Resellers and what belongs to them but meters.

CREATE TABLE reseller (
    id            uuid PRIMARY KEY,
    name          text NOT NULL,
    slug          text NOT NULL,
    tier          text NOT NULL,
    monthly_quota bigint NOT NULL CHECK (monthly_quota >= 0),
    timezone      text NOT NULL,
    is_closing    boolean NOT NULL DEFAULT false,
    created_at    bigint NOT NULL
);

CREATE TABLE reseller_alias (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    name        text NOT NULL,
    PRIMARY KEY (reseller_id, name)
);

CREATE TABLE api_key (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    id          uuid NOT NULL,
    name        text NOT NULL,
    sealed      bytea NOT NULL,
    created_at  bigint NOT NULL,
    PRIMARY KEY (reseller_id, id),
    UNIQUE (reseller_id, name)
);

CREATE TABLE customer (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    id          uuid NOT NULL,
    name        text NOT NULL,
    created_at  bigint NOT NULL,
    PRIMARY KEY (reseller_id, id)
);

CREATE TABLE end_user (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    id          uuid NOT NULL,
    name        text NOT NULL,
    customer_id uuid,
    created_at  bigint NOT NULL,
    PRIMARY KEY (reseller_id, id),
    FOREIGN KEY (reseller_id, customer_id) REFERENCES customer (reseller_id, id)
);
CREATE INDEX end_user_by_customer ON end_user (reseller_id, customer_id);
