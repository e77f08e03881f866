-- Readings in blocks: up to 32 of a device within one calendar month (UTC), under the time of the first
-- one. A row for each reading spent more on itself than on what was read.
--
-- Rows lie in the order in which they were begun, so that those which messages fill are together on few
-- pages, however much there is of the past. In the order of devices each would be on a page of its own.

CREATE TABLE reading_block (
    device INTEGER NOT NULL REFERENCES device (key),
    since INTEGER NOT NULL,
    readings BLOB NOT NULL,
    UNIQUE (device, since)
) STRICT;

-- In the plain form: a zero byte, then 8 bytes of time, 8 of volume and 4 of battery for each reading,
-- where the least number stands for no battery. `rank` is the same for readings of the same time, which
-- never part.
INSERT INTO reading_block
SELECT device, min(ts),
       unhex('00' || group_concat(
           printf('%016x%016x%08x', ts, volume, coalesce(battery_uv, -2147483648) & 4294967295), ''
           ORDER BY ts, volume))
FROM (
    SELECT *, (rank() OVER (PARTITION BY device, month ORDER BY ts) - 1) / 32 AS number
    FROM (
        SELECT *, strftime('%Y-%m', (ts - (ts % 1000000 + 1000000) % 1000000) / 1000000, 'unixepoch')
            AS month
        FROM reading
    )
)
GROUP BY device, month, number;

DROP TABLE reading;

-- A block is whose its device is.

CREATE TRIGGER guard_reading_block_insert BEFORE INSERT ON reading_block
WHEN (SELECT reseller_id FROM device WHERE key = NEW.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reading_block is another reseller''s');
END;

-- None changes its device, so that one look is enough.
CREATE TRIGGER guard_reading_block_update BEFORE UPDATE ON reading_block
WHEN NEW.device IS NOT OLD.device
    OR (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller()
BEGIN
    SELECT RAISE(ABORT, 'the reading_block is another reseller''s');
END;

CREATE TRIGGER guard_reading_block_delete BEFORE DELETE ON reading_block
WHEN (SELECT reseller_id FROM device WHERE key = OLD.device) IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the reading_block is another reseller''s');
END;
