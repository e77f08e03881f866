-- Which devices have fallen silent, without a look at all of them. `seen_mark` is a moment not after
-- `last_seen_at` and at most a day before it: messages move it once a day, so the index on it is
-- seldom written, and all who were silent for longer are found by it.

ALTER TABLE device ADD COLUMN seen_mark INTEGER NOT NULL DEFAULT 0;

-- As before, the guard makes way for this one statement.
DROP TRIGGER guard_device_update;

UPDATE device SET seen_mark = last_seen_at WHERE last_seen_at IS NOT NULL;

CREATE TRIGGER guard_device_update BEFORE UPDATE ON device
WHEN OLD.reseller_id IS NOT current_reseller() OR NEW.reseller_id IS NOT current_reseller() BEGIN
    SELECT RAISE(ABORT, 'the device is another reseller''s');
END;

CREATE INDEX device_by_silence ON device (reseller_id, seen_mark)
    WHERE deleted_at IS NULL AND status = 'online';

-- Those that are not online, in the order of lists.
CREATE INDEX device_by_status ON device (reseller_id, status, created_at DESC, id DESC, deleted_at)
    WHERE deleted_at IS NULL AND status <> 'online';
