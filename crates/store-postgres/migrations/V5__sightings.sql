-- Uplinks of EUIs that their reseller has not registered.

CREATE TABLE sighting (
    reseller_id       uuid NOT NULL REFERENCES reseller (id),
    eui               bigint NOT NULL,
    dev_eui           text NOT NULL,
    device_name       text,
    battery_uv        integer,
    last_reading_at   bigint,
    newest_reading_at bigint,
    first_seen_at     bigint,
    last_seen_at      bigint,
    message_count     bigint NOT NULL CHECK (message_count >= 0),
    latitude          double precision,
    longitude         double precision,
    altitude          double precision,
    PRIMARY KEY (reseller_id, eui)
);
-- An EUI is kept as its 64 bits in a signed number; in the order of EUIs the negative ones come last.
CREATE INDEX sighting_by_last_seen
    ON sighting (reseller_id, last_seen_at DESC NULLS LAST, (eui < 0), eui);

CREATE TABLE sighting_reading (
    reseller_id uuid NOT NULL,
    eui         bigint NOT NULL,
    ts          bigint NOT NULL,
    volume      bigint NOT NULL,
    battery_uv  integer,
    received_at bigint NOT NULL,
    PRIMARY KEY (reseller_id, eui, ts, volume),
    FOREIGN KEY (reseller_id, eui) REFERENCES sighting (reseller_id, eui) ON DELETE CASCADE
);
CREATE INDEX sighting_reading_by_receipt
    ON sighting_reading (reseller_id, received_at DESC, eui, ts, volume);
