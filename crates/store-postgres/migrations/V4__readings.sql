-- Readings by month of their time. What lies outside the months that were made ahead goes into the
-- default partition: a meter may send last year's values.

CREATE TABLE reading (
    reseller_id uuid NOT NULL,
    device      bigint NOT NULL,
    ts          bigint NOT NULL,
    volume      bigint NOT NULL,
    battery_uv  integer,
    PRIMARY KEY (reseller_id, device, ts, volume),
    FOREIGN KEY (reseller_id, device) REFERENCES device (reseller_id, key)
) PARTITION BY RANGE (ts);

CREATE TABLE reading_default PARTITION OF reading DEFAULT;
