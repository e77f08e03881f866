-- Readings: integers only, clustered by what makes a reading that reading. There is no reseller
-- column: the device's key says whose they are.

CREATE TABLE reading (
    device INTEGER NOT NULL REFERENCES device (key),
    ts INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    battery_uv INTEGER,
    PRIMARY KEY (device, ts, volume)
) STRICT, WITHOUT ROWID;
