-- Finished days of devices, kept so that they need not be computed from readings again. `day` counts
-- from 1970-01-01. As with readings there is no reseller column.

CREATE TABLE day (
    device INTEGER NOT NULL REFERENCES device (key),
    day INTEGER NOT NULL,
    consumption INTEGER NOT NULL,
    last_reading INTEGER NOT NULL,
    is_reset INTEGER NOT NULL CHECK (is_reset IN (0, 1)),
    PRIMARY KEY (device, day)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER guard_day_insert BEFORE INSERT ON day
WHEN (SELECT reseller_id FROM device WHERE key = NEW.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the day is another reseller''s');
END;

CREATE TRIGGER guard_day_update BEFORE UPDATE ON day
WHEN (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller()
    OR (SELECT reseller_id FROM device WHERE key = NEW.device) IS NOT current_reseller()
BEGIN
    SELECT RAISE(ABORT, 'the day is another reseller''s');
END;

CREATE TRIGGER guard_day_delete BEFORE DELETE ON day
WHEN (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the day is another reseller''s');
END;

-- Up to when a device's days are kept, and in which time zone.
ALTER TABLE device ADD COLUMN days_until INTEGER;
ALTER TABLE device ADD COLUMN days_zone TEXT;

-- Of devices that have readings nothing is kept yet. The guard makes way for this one statement: a
-- migration acts for no reseller.
DROP TRIGGER guard_device_update;

UPDATE device SET days_until = 0 WHERE newest_reading_at IS NOT NULL;

CREATE TRIGGER guard_device_update BEFORE UPDATE ON device
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;
