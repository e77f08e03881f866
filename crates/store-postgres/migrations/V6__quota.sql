-- Settled requests by calendar month, which is counted from year 0.

CREATE TABLE quota_usage (
    reseller_id uuid NOT NULL REFERENCES reseller (id),
    month       integer NOT NULL,
    used        bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
    PRIMARY KEY (reseller_id, month)
);
