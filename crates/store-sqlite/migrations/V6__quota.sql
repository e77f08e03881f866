-- Settled requests by calendar month.

CREATE TABLE quota_usage (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    month INTEGER NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, month)
) STRICT, WITHOUT ROWID;
