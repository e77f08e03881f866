-- What is remembered of EUIs that their reseller has not registered.

CREATE TABLE sighting (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    eui INTEGER NOT NULL,
    dev_eui TEXT NOT NULL,
    device_name TEXT,
    battery_uv INTEGER,
    last_reading_at INTEGER,
    newest_reading_at INTEGER,
    first_seen_at INTEGER,
    last_seen_at INTEGER,
    message_count INTEGER NOT NULL,
    latitude REAL,
    longitude REAL,
    altitude REAL,
    PRIMARY KEY (reseller_id, eui)
) STRICT, WITHOUT ROWID;

-- Last seen first. An EUI is unsigned and its column is not: the negative ones come last.
CREATE INDEX sighting_by_last_seen ON sighting (reseller_id, last_seen_at DESC, (eui < 0), eui);

CREATE TABLE sighting_reading (
    reseller_id BLOB NOT NULL,
    eui INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    volume INTEGER NOT NULL,
    battery_uv INTEGER,
    received_at INTEGER NOT NULL,
    PRIMARY KEY (reseller_id, eui, ts, volume),
    FOREIGN KEY (reseller_id, eui) REFERENCES sighting (reseller_id, eui)
) STRICT, WITHOUT ROWID;

-- The order in which readings make way.
CREATE INDEX sighting_reading_by_receipt ON sighting_reading (reseller_id, received_at);

-- How much is remembered, kept by triggers: counting 200,000 rows after every batch would cost more
-- than the batch.
CREATE TABLE sighting_tally (
    reseller_id BLOB PRIMARY KEY REFERENCES reseller (id),
    euis INTEGER NOT NULL,
    readings INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tally_sighting_insert AFTER INSERT ON sighting BEGIN
    INSERT INTO sighting_tally (reseller_id, euis, readings) VALUES (NEW.reseller_id, 1, 0)
    ON CONFLICT DO UPDATE SET euis = euis + 1;
END;

CREATE TRIGGER tally_sighting_delete AFTER DELETE ON sighting BEGIN
    UPDATE sighting_tally SET euis = euis - 1 WHERE reseller_id = OLD.reseller_id;
END;

CREATE TRIGGER tally_sighting_reading_insert AFTER INSERT ON sighting_reading BEGIN
    UPDATE sighting_tally SET readings = readings + 1 WHERE reseller_id = NEW.reseller_id;
END;

CREATE TRIGGER tally_sighting_reading_delete AFTER DELETE ON sighting_reading BEGIN
    UPDATE sighting_tally SET readings = readings - 1 WHERE reseller_id = OLD.reseller_id;
END;
