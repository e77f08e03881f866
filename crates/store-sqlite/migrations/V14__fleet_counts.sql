-- How many live devices there are of each kind. `customer_id` is the effective one, and sixteen zero
-- bytes for none: a primary key has no nulls.

CREATE TABLE fleet_count (
    reseller_id BLOB NOT NULL REFERENCES reseller (id),
    customer_id BLOB NOT NULL CHECK (length(customer_id) = 16),
    is_assigned INTEGER NOT NULL CHECK (is_assigned IN (0, 1)),
    is_principal INTEGER NOT NULL CHECK (is_principal IN (0, 1)),
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    devices INTEGER NOT NULL CHECK (devices >= 0),
    PRIMARY KEY (reseller_id, customer_id, is_assigned, is_principal, is_active)
) STRICT, WITHOUT ROWID;

INSERT INTO fleet_count
SELECT reseller_id, coalesce(effective_customer_id, zeroblob(16)), end_user_id IS NOT NULL,
       is_principal, is_active, count(*)
FROM device WHERE deleted_at IS NULL
GROUP BY 1, 2, 3, 4, 5;

CREATE TRIGGER guard_fleet_count_insert BEFORE INSERT ON fleet_count
WHEN NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the fleet_count is another reseller''s');
END;

CREATE TRIGGER guard_fleet_count_update BEFORE UPDATE ON fleet_count
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the fleet_count is another reseller''s');
END;

CREATE TRIGGER guard_fleet_count_delete BEFORE DELETE ON fleet_count
WHEN OLD.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the fleet_count is another reseller''s');
END;

-- What was counted through this index is in the table above, but for devices that are new. Those are
-- counted, and put into the order of lists, without a look at the devices themselves.
DROP INDEX device_by_facts;
CREATE INDEX device_by_first_seen ON device
    (reseller_id, first_seen_at, effective_customer_id, created_at, id, deleted_at)
    WHERE deleted_at IS NULL AND first_seen_at IS NOT NULL;

-- The order of lists: pages far behind are reached without a look at the devices before them.
DROP INDEX device_by_age;
CREATE INDEX device_by_age ON device (reseller_id, created_at DESC, id DESC, deleted_at)
    WHERE deleted_at IS NULL;

-- Kinds of which there may be few among many, in the order of lists.
CREATE INDEX device_principal ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND is_principal = 1;
CREATE INDEX device_assigned ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND end_user_id IS NOT NULL;
CREATE INDEX device_unassigned ON device (reseller_id, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND end_user_id IS NULL;
