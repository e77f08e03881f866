-- How far a spool is settled, for each of the eight lanes that devices are in.

-- Whoever settles with an older program is waited for first, and then finds nothing to settle in.
LOCK TABLE spool_position IN ACCESS EXCLUSIVE MODE;

ALTER TABLE spool_position ADD COLUMN lane smallint NOT NULL DEFAULT 0 CHECK (lane BETWEEN 0 AND 7);
ALTER TABLE spool_position DROP CONSTRAINT spool_position_pkey;
ALTER TABLE spool_position ADD PRIMARY KEY (spool_id, lane);
ALTER TABLE spool_position ALTER COLUMN lane DROP DEFAULT;

INSERT INTO spool_position (spool_id, lane, sequence)
    SELECT spool_id, next, sequence FROM spool_position CROSS JOIN generate_series(1, 7) AS next;
