-- How far a spool is settled, for each of the eight lanes that devices are in.

CREATE TABLE lane_position (
    spool_id BLOB NOT NULL CHECK (length(spool_id) = 16),
    lane INTEGER NOT NULL CHECK (lane BETWEEN 0 AND 7),
    sequence INTEGER NOT NULL,
    PRIMARY KEY (spool_id, lane)
) STRICT, WITHOUT ROWID;

INSERT INTO lane_position
WITH lanes (lane) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7))
SELECT spool_id, lane, sequence FROM spool_position CROSS JOIN lanes;

-- Under another name: an older program that still runs then finds nothing to settle in.
DROP TABLE spool_position;

-- The guards of what is settled with every message. A statement that they refuse fails its transaction
-- as a whole; to be undone by itself, SQLite would copy each page that it changes.

DROP TRIGGER guard_device_update;
CREATE TRIGGER guard_device_update BEFORE UPDATE ON device
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(FAIL, 'the device is another reseller''s');
END;

DROP TRIGGER guard_reading_block_update;
-- None changes its device, so that one look is enough.
CREATE TRIGGER guard_reading_block_update BEFORE UPDATE ON reading_block
WHEN NEW.device IS NOT OLD.device
    OR (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller()
BEGIN
    SELECT RAISE(FAIL, 'the reading_block is another reseller''s');
END;
