-- Which devices have fallen silent, without a look at all of them. `seen_mark` is a moment not after
-- `last_seen_at` and at most a day before it: messages move it once a day, so the index on it is
-- seldom written, and all who were silent for longer are found by it.

ALTER TABLE device ADD COLUMN seen_mark bigint NOT NULL DEFAULT 0;
UPDATE device SET seen_mark = last_seen_at WHERE last_seen_at IS NOT NULL;

CREATE INDEX device_by_silence ON device (reseller_id, seen_mark)
    WHERE deleted_at IS NULL AND status = 'online';

-- Those that are not online, in the order of lists.
DROP INDEX device_in_maintenance;
CREATE INDEX device_by_status ON device (reseller_id, status, created_at DESC, id DESC)
    WHERE deleted_at IS NULL AND status <> 'online';
