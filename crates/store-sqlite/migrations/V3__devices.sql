-- Devices. `key` is the small integer under which readings are kept; it is never used twice, so that
-- nothing that remembers a key can mean another device by it later.

CREATE TABLE device (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    id BLOB NOT NULL CHECK (length(id) = 16),
    eui INTEGER NOT NULL,
    dev_eui TEXT NOT NULL,
    live_eui INTEGER CHECK (live_eui = eui),
    name TEXT NOT NULL,
    device_name TEXT,
    status TEXT NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    end_user_id BLOB,
    customer_id BLOB,
    parent_id BLOB,
    is_principal INTEGER NOT NULL CHECK (is_principal IN (0, 1)),
    hierarchy_level INTEGER NOT NULL,
    battery_uv INTEGER,
    last_reading_at INTEGER,
    newest_reading_at INTEGER,
    first_seen_at INTEGER,
    last_seen_at INTEGER,
    message_count INTEGER NOT NULL,
    latitude REAL,
    longitude REAL,
    altitude REAL,
    deleted_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (reseller_id, id),
    UNIQUE (reseller_id, live_eui),
    CHECK ((live_eui IS NULL) = (deleted_at IS NOT NULL)),
    FOREIGN KEY (live_eui, reseller_id) REFERENCES eui_claim (eui, reseller_id),
    FOREIGN KEY (reseller_id, parent_id) REFERENCES device (reseller_id, id),
    FOREIGN KEY (reseller_id, end_user_id) REFERENCES end_user (reseller_id, id),
    FOREIGN KEY (reseller_id, customer_id) REFERENCES customer (reseller_id, id)
) STRICT;

-- The order of lists.
CREATE INDEX device_by_age ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL;
-- Soft-deleted devices by the EUI they went by.
CREATE INDEX device_by_eui ON device (reseller_id, eui);
CREATE INDEX device_by_parent ON device (reseller_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX device_by_end_user ON device (reseller_id, end_user_id) WHERE end_user_id IS NOT NULL;
CREATE INDEX device_by_customer ON device (reseller_id, customer_id) WHERE customer_id IS NOT NULL;
